import { assert, describe, it } from "@effect/vitest"
import { ports } from "@headgate/core/adapter"
import { type AnyOperation, dialects, examples, operations } from "@headgate/http-contract"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import * as Struct from "effect/Struct"
import { writeFileSync } from "node:fs"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { documentsBelow } from "./support/documentsBelow.ts"
import { organizationId, pipes, snapshot } from "./support/fullSnapshot.ts"
import { namedDocuments } from "./support/namedDocuments.ts"
import {
  operate,
  operateIn,
  readCredentials,
  serverProcess,
  serverProcessIn,
  type StoredCredentials,
  temporaryDirectory
} from "./support/processes.ts"
import { openConnection } from "./support/rawConnection.ts"
import {
  as,
  dashboardsPath,
  firstPipe,
  keysPath,
  otherOrganizationId,
  pipePath,
  withOtherToken,
  withToken,
  environment
} from "./support/environment.ts"

/** Who may enter the gateway: the keys and tokens of the environment, and not one pipe. */
const localOnly = {
  organizations: environment.organizations.map((organization) => ({ ...organization, services: [] }))
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: any
}

const call = (
  url: string,
  authorization: string,
  body?: unknown,
  method = body === undefined ? "GET" : "POST",
  headers: Readonly<Record<string, string>> = {}
) =>
  Effect.promise(async (): Promise<Answer> => {
    const response = await fetch(url, {
      method,
      headers: { authorization, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: JSON.parse(text) }
  })

const written = (directory: string, name: string, document: unknown): string => {
  const file = join(directory, name)
  writeFileSync(file, JSON.stringify(document))
  return file
}

/** An upstream that is no server of ours. */
const standIn = (answer: RequestListener) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer(answer)
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      const { port } = server.address() as AddressInfo
      return { server, url: `http://127.0.0.1:${port}` }
    }),
    ({ server }) => Effect.sync(() => server.close().closeAllConnections())
  )

/** Starts a gateway with the local credentials, in front of `url`. `credentials` is the file with those of the upstream. */
const startGateway = (directory: string, url: string, credentials: string, ...more: ReadonlyArray<string>) =>
  serverProcess(
    "--memory",
    "--import",
    written(directory, "local.json", localOnly),
    "--upstream",
    url,
    "--upstream-organization",
    organizationId,
    "--upstream-credentials",
    credentials,
    ...more
  )

/** A gateway in front of a second, real server. */
const gateway = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const credentials = join(directory, "credentials.json")
  const imported = written(directory, "upstream.json", {
    ...snapshot,
    organizations: snapshot.organizations.map((organization) => ({ ...namedDocuments, ...organization }))
  })
  const upstream = yield* serverProcess("--memory", "--admin", "--import", imported, "--credentials-file", credentials)
  const own = readCredentials(credentials)[0]!
  const { keyId, keySecret, token } = own
  const front = yield* startGateway(
    directory,
    upstream.url,
    written(directory, "upstream-credentials.json", { keyId, keySecret, token })
  )
  return { own, upstream, front }
})

const credentialsIn = ({ keyId, keySecret, token }: StoredCredentials): ReadonlyArray<string> => [
  keySecret,
  token,
  btoa(`${keyId}:${keySecret}`)
]

describe("a gateway", () => {
  // Nothing is asked of this one.
  const upstreamFlags = ["--upstream", "http://127.0.0.1:1", "--upstream-organization", organizationId]
  const upstreamKey = { HEADGATE_UPSTREAM_KEY_ID: "id", HEADGATE_UPSTREAM_KEY_SECRET: "secret" }

  it.live("lets local keys in for what they may do, and nobody sees the upstream credentials", () =>
    Effect.gen(function* () {
      const { front, own, upstream } = yield* gateway
      const seen: Array<Answer> = []
      const ask = (path: string, authorization: string, body?: unknown, method?: string) =>
        Effect.tap(call(`${front.url}${path}`, authorization, body, method), (answer) =>
          Effect.sync(() => seen.push(answer))
        )

      const read = yield* ask(pipePath(firstPipe), as("developer"))
      assert.strictEqual(read.status, 200)
      assert.deepStrictEqual(read.json.result, pipes[0])

      const refused = yield* ask(keysPath(), as("developer"), { name: "mine" })
      assert.strictEqual(refused.status, 403)
      const created = yield* ask(keysPath(), as("admin"), { name: "mine", roles: ["developer"] })
      assert.strictEqual(created.status, 200)
      // It is the upstream's key: good there, and unknown in front.
      const { keyId, keySecret } = created.json.result
      const minted = `Basic ${btoa(`${keyId}:${keySecret}`)}`
      assert.strictEqual((yield* call(`${upstream.url}${pipePath(firstPipe)}`, minted)).status, 200)
      assert.strictEqual((yield* ask(pipePath(firstPipe), minted)).status, 401)
      // And those of the gateway do not open it.
      assert.strictEqual(
        (yield* ask(pipePath(firstPipe), `Basic ${btoa(`${own.keyId}:${own.keySecret}`)}`)).status,
        401
      )
      assert.strictEqual((yield* ask(dashboardsPath, `Bearer ${own.token}`)).status, 401)

      assert.strictEqual((yield* ask(pipePath(firstPipe), as("from-elsewhere"))).status, 403)
      assert.strictEqual((yield* ask(pipePath(firstPipe), as("from-here"))).status, 200)

      const gone = pipes[1]!["id"] as string
      assert.strictEqual((yield* ask(pipePath(gone), as("developer"), undefined, "DELETE")).status, 403)
      assert.strictEqual((yield* ask(pipePath(gone), as("admin"), undefined, "DELETE")).status, 200)
      const missing = yield* ask(pipePath(gone), as("developer"))
      assert.strictEqual(missing.status, 404)
      assert.match(missing.json.error, /^NOT_FOUND: upstream: .* \(upstream request [0-9a-f-]{36}\)$/)

      const dashboard = yield* ask(dashboardsPath, withToken, { name: "behind" })
      assert.strictEqual(dashboard.status, 200)
      const listed = yield* call(`${upstream.url}${dashboardsPath}`, `Bearer ${own.token}`)
      assert.deepStrictEqual(listed.json.data, [dashboard.json.data])
      assert.deepStrictEqual((yield* ask(dashboardsPath, withToken)).json.data, [dashboard.json.data])

      // Documents below a service, with a key: each method reaches the upstream.
      const below = (rest: string) =>
        pipePath(rest, { service: pipes[0]!["serviceId"] as string, segment: "dbstack" }).replace(/\/$/u, "")
      for (const { path: kind, request } of documentsBelow(dialects.neutral)) {
        const created = yield* ask(below(kind), as("admin"), { name: "below", ...request })
        assert.strictEqual(created.status, 200, kind)
        const path = below(`${kind}/${created.json.result.id}`)
        const behind = call(`${upstream.url}${path}`, `Basic ${btoa(`${own.keyId}:${own.keySecret}`)}`)
        const replaced = yield* ask(path, as("admin"), { name: "replaced", ...request }, "PUT")
        assert.strictEqual(replaced.json.result.name, "replaced", kind)
        assert.deepStrictEqual((yield* behind).json.result, replaced.json.result)
        // The URL of a webhook is for admins alone.
        const { url: _, ...readable } = replaced.json.result
        assert.deepStrictEqual((yield* ask(path, as("developer"))).json.result, readable)
        assert.strictEqual((yield* ask(path, as("developer"), undefined, "DELETE")).status, 403)
        assert.strictEqual((yield* ask(path, as("admin"), undefined, "DELETE")).status, 200, kind)
        assert.strictEqual((yield* behind).status, 404, kind)
      }

      // Another organization's keys are good for nothing here, whatever they may do at home.
      const foreign = yield* ask(keysPath(otherOrganizationId), as("foreign-admin"), { name: "theirs" })
      assert.strictEqual(foreign.status, 403)
      assert.strictEqual((yield* ask(dashboardsPath, withOtherToken)).status, 403)
      assert.strictEqual((yield* ask(dashboardsPath, withOtherToken, { name: "theirs" })).status, 403)

      const { stderr, stdout } = yield* Effect.promise(() => front.stop())
      const output = [stdout, stderr, ...seen.flatMap(({ headers, text }) => [text, JSON.stringify([...headers])])]
      for (const secret of credentialsIn(own)) assert.notInclude(output.join("\n"), secret)
    }).pipe(Effect.scoped)
  )

  it.live("passes Idempotency-Key and If-Match to its upstream, and the headers of its answers to the caller", () =>
    Effect.gen(function* () {
      const { front, own, upstream } = yield* gateway
      const asOwn = `Basic ${btoa(`${own.keyId}:${own.keySecret}`)}`
      for (const [path, authorization, upstreamAuthorization] of [
        [keysPath(), as("admin"), asOwn],
        [dashboardsPath, withToken, `Bearer ${own.token}`]
      ] as const) {
        const list = Effect.map(
          call(`${upstream.url}${path}`, upstreamAuthorization),
          ({ json }) => json.result ?? json.data
        )
        const before = (yield* list).length
        const create = (name: string) =>
          call(`${front.url}${path}`, authorization, { name }, "POST", { "idempotency-key": "job-7" })
        const [first, second] = [yield* create("once"), yield* create("once")]
        assert.deepStrictEqual([first.status, second.status], [200, 200])
        assert.deepStrictEqual(second.json.result, first.json.result)
        assert.deepStrictEqual(second.json.data, first.json.data)
        for (const { headers } of [first, second]) {
          assert.strictEqual(headers.get("idempotency-key-retention"), "86400")
        }
        assert.lengthOf(yield* list, before + 1)
        assert.strictEqual((yield* create("another body")).status, 422)
      }

      const pipe = `${front.url}${pipePath(firstPipe)}`
      const rename = (ifMatch: string) => call(pipe, as("admin"), { name: "renamed" }, "PATCH", { "if-match": ifMatch })
      assert.strictEqual((yield* call(pipe, as("developer"))).headers.get("etag"), '"1"')
      const stale = yield* rename('"7"')
      assert.strictEqual(stale.status, 412)
      assert.match(stale.json.error, /^PRECONDITION_FAILED: upstream: /)
      const renamed = yield* rename('"1"')
      assert.deepStrictEqual([renamed.status, renamed.headers.get("etag")], [200, '"2"'])
      assert.strictEqual((yield* rename('"1"')).status, 412)
    }).pipe(Effect.scoped)
  )

  it.live("changes and deletes every key of its upstream but its own, of which no change is sent", () =>
    Effect.gen(function* () {
      const { front, own, upstream } = yield* gateway
      const asOwn = `Basic ${btoa(`${own.keyId}:${own.keySecret}`)}`
      const created = yield* call(`${front.url}${keysPath()}`, as("admin"), { name: "other", roles: ["admin"] })
      const { id: other } = created.json.result.key
      const listed = yield* call(`${upstream.url}${keysPath()}`, asOwn)
      const { id: ownId } = listed.json.result.find(({ id }: { readonly id: string }) => id !== other)
      const paths = { own: `${keysPath()}/${ownId}`, other: `${keysPath()}/${other}` }
      const change = (path: string, method: string, body?: unknown) =>
        call(`${front.url}${path}`, as("admin"), body, method)

      for (const [method, body] of [
        ["PATCH", { name: "renamed" }],
        ["PATCH", { state: "disabled" }],
        ["DELETE", undefined]
      ] as const) {
        const { json, status } = yield* change(paths.own, method, body)
        assert.strictEqual(status, 409, method)
        assert.strictEqual(
          json.error,
          "CONFLICT: this gateway uses this key at its upstream: change it there, with other credentials"
        )
      }
      assert.strictEqual((yield* change(paths.other, "PATCH", { name: "renamed" })).json.result.name, "renamed")
      assert.strictEqual((yield* change(paths.other, "DELETE")).status, 200)
      assert.strictEqual((yield* change(paths.other, "DELETE")).status, 404)
      assert.strictEqual((yield* call(`${front.url}${paths.own}`, as("admin"))).json.result.name, "first admin key")

      const sent = yield* call(`${upstream.url}/_admin/requests`, "")
      const changes = sent.json.requests.filter(({ method }: { readonly method: string }) =>
        ["PATCH", "DELETE"].includes(method)
      )
      assert.deepStrictEqual(
        changes.map(({ method, path }: { readonly method: string; readonly path: string }) => [method, path]),
        [
          ["PATCH", paths.other],
          ["DELETE", paths.other]
        ]
      )
    }).pipe(Effect.scoped)
  )

  it.live("makes no session of the console, which its upstream would make for the gateway's own key", () =>
    Effect.gen(function* () {
      const { front, upstream } = yield* gateway
      for (const collection of ["consoleSessions", "consoleCodes"]) {
        const url = `${front.url}/v1/organizations/${organizationId}/${collection}`
        const { json, status } = yield* call(url, as("admin"), undefined, "POST")
        assert.strictEqual(status, 403, collection)
        assert.strictEqual(
          json.error,
          "FORBIDDEN: a gateway has no console: sign in at the server that it stands before"
        )
      }
      const signIn = yield* call(`${front.url}/v1/consoleSessions`, "", { code: `hgc_${"a".repeat(40)}` }, "POST")
      assert.strictEqual(signIn.status, 404)
      const sent = yield* call(`${upstream.url}/_admin/requests`, "")
      const posts = sent.json.requests.filter(({ method }: { readonly method: string }) => method === "POST")
      assert.deepStrictEqual(posts, [])
    }).pipe(Effect.scoped)
  )

  it.live("asks its upstream for no ID that is no segment of a path", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const { url } = yield* standIn(({ url = "" }, response) => {
        asked.push(url)
        response.writeHead(404, { "content-type": "application/json" }).end('{"message":"none"}')
      })
      const directory = yield* temporaryDirectory
      const credentials = written(directory, "upstream-credentials.json", { keyId: "k", keySecret: "s", token: "t" })
      const front = yield* startGateway(directory, url, credentials)
      const alertsPath = pipePath("alerts", { segment: "dbstack" })
      for (const id of ["a%2Fb", "..%2F..%2Fkeys", "a%5Cb", "%2E%2E", "%2E", "%2f"]) {
        for (const [method, path, authorization] of [
          ["GET", dashboardsPath, withToken],
          ["DELETE", dashboardsPath, withToken],
          ["GET", alertsPath, as("admin")]
        ]) {
          // fetch would resolve the dots.
          const head = `${method} ${path}/${id} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\n`
          const connection = yield* Effect.promise(() => openConnection(front.url))
          connection.send(`${head}connection: close\r\n\r\n`)
          assert.match(yield* Effect.promise(() => connection.closed), /^HTTP\/1\.1 400 /, id)
        }
      }
      assert.deepStrictEqual(asked, [])
      assert.strictEqual((yield* call(`${front.url}${dashboardsPath}/a.b`, withToken)).status, 404)
      assert.deepStrictEqual(asked, [`${dashboardsPath}/a.b`])
    }).pipe(Effect.scoped)
  )

  it.live("refuses the state commands of /_admin, which are for a simulation", () =>
    Effect.gen(function* () {
      const front = yield* serverProcessIn(upstreamKey, "--memory", "--admin", ...upstreamFlags)
      const address = { organizationId, serviceId: pipes[0]!["serviceId"] }
      for (const [path, method, body] of [
        ["pipe-state", "PUT", { ...address, pipeId: firstPipe, state: "Failed" }],
        ["service-state", "PUT", { ...address, state: "idle" }],
        ["clock", "POST", { forwardMs: 1 }]
      ] as const) {
        const { json, status } = yield* call(`${front.url}/_admin/${path}`, "", body, method)
        assert.strictEqual(status, 409, path)
        assert.strictEqual(
          json.error,
          "CONFLICT: a gateway simulates nothing: services and pipes are those of its upstream"
        )
      }
    }).pipe(Effect.scoped)
  )

  const sourceId = "65f5e4a3b9e77c0000000001"
  const connectionId = "65f5e4a3b9e77c0000000002"
  /** Something of every noun that the upstream answers for. */
  const shadowed = {
    services: environment.organizations[0]?.services,
    roles: [{ id: "00000000-0000-4000-8000-0000000000aa", name: "auditor", type: "custom", actors: [], policies: [] }],
    dashboards: [{ id: "d1", name: "kept", tiles: [], tags: [] }],
    connections: [{ id: connectionId, name: "one", host: "https://db.example.com" }],
    sources: [{ id: sourceId, name: "logs", kind: "log", connection: connectionId }],
    savedSearches: [{ id: "65f5e4a3b9e77c0000000003", name: "errors" }],
    webhooks: [{ id: "65f5e4a3b9e77c0000000004", name: "on call" }],
    alerts: [{ id: "65f5e4a3b9e77c0000000005", name: "too many errors" }],
    dashboardRoles: [{ id: "65f5e4a3b9e77c0000000006", name: "readers", permissions: [], isPredefined: false }]
  }
  const full = {
    organizations: environment.organizations.map((organization, index) =>
      index === 0 ? { ...organization, ...shadowed } : organization
    )
  }
  it.live("takes nothing that its upstream answers for, which it would keep and never serve, however it comes", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const file = written(directory, "full.json", full)
      const started = yield* operateIn(upstreamKey, "--memory", "--port", "0", "--import", file, ...upstreamFlags)
      const data = join(directory, "data")
      const restored = yield* operateIn({ HEADGATE_UPSTREAM: "http://127.0.0.1:1" }, "import", file, "--data", data)
      const front = yield* serverProcessIn(upstreamKey, "--memory", "--admin", ...upstreamFlags)
      const seeded = yield* call(`${front.url}/_admin/seed`, "", full)
      assert.deepStrictEqual([started.code, restored.code, seeded.status], [1, 1, 400])
      for (const said of [started.stderr, restored.stderr, seeded.json.error]) {
        for (const field of Object.keys(shadowed)) assert.include(said, `organizations[0].${field}: Expected none`)
        assert.include(said, "keys, organizations and tokens")
        assert.notInclude(said, "organizations[1]")
      }
      assert.notInclude(started.stderr, "New credentials")
    }).pipe(Effect.scoped)
  )

  it.live("serves nothing of what its store held before, and says so", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const data = join(directory, "data")
      yield* operate("import", written(directory, "full.json", full), "--data", data)
      const behind = { ...pipes[0], name: "upstream's own" }
      const { url } = yield* standIn(({ url }, response) => {
        const answer = url === dashboardsPath ? { data: [] } : { status: 200, requestId: "r", result: behind }
        response.setHeader("content-type", "application/json").end(JSON.stringify(answer))
      })
      const flags = ["--upstream", url, "--upstream-organization", organizationId]
      const env = { ...upstreamKey, HEADGATE_UPSTREAM_TOKEN: "token" }
      const front = yield* serverProcessIn(env, "--data", data, ...flags)
      assert.include(
        front.printed.stderr,
        "not served (services: 1, roles: 1, dashboards: 1, connections: 1, data sources: 1, saved searches: 1, webhooks: 1, alerts: 1, dashboard roles: 1)"
      )
      const read = yield* call(`${front.url}${pipePath(firstPipe)}`, as("developer"))
      assert.strictEqual(read.json.result.name, "upstream's own")
      assert.deepStrictEqual((yield* call(`${front.url}${dashboardsPath}`, withToken)).json, { data: [] })
    }).pipe(Effect.scoped)
  )

  it.live("that is told to end waits for what its upstream has yet to answer", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const told = yield* Deferred.make<void>()
      const { url } = yield* standIn((_, response) => {
        Deferred.doneUnsafe(asked, Effect.void)
        const answer = JSON.stringify({ status: 200, requestId: "r", result: pipes[0] })
        Effect.runFork(
          Effect.andThen(
            Deferred.await(told),
            Effect.sync(() => response.setHeader("content-type", "application/json").end(answer))
          )
        )
      })
      const local = written(yield* temporaryDirectory, "local.json", localOnly)
      const flags = ["--upstream", url, "--upstream-organization", organizationId, "--import", local]
      const front = yield* serverProcessIn(upstreamKey, "--memory", ...flags)
      const answered = yield* Effect.forkChild(call(`${front.url}${pipePath(firstPipe)}`, as("developer")))
      yield* Deferred.await(asked)
      const ended = front.stop()
      // From then on nothing new is taken.
      yield* Effect.promise(() => fetch(`${front.url}/healthz`)).pipe(
        Effect.exit,
        Effect.repeat({ until: Exit.isFailure, schedule: Schedule.spaced("20 millis") })
      )
      yield* Deferred.succeed(told, undefined)
      assert.deepStrictEqual((yield* Fiber.join(answered)).json.result, pipes[0])
      assert.strictEqual((yield* Effect.promise(() => ended)).code, 0)
    }).pipe(Effect.scoped)
  )

  it.live("reads its credentials file again when the upstream refuses what it held", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const data = join(directory, "upstream")
      const first = join(directory, "first.json")
      const imported = written(directory, "upstream.json", snapshot)
      const upstream = yield* serverProcess("--data", data, "--import", imported, "--credentials-file", first)
      const { keyId, keySecret } = readCredentials(first)[0]!
      const file = written(directory, "credentials.json", { keyId, keySecret })
      const front = yield* startGateway(directory, upstream.url, file)
      const read = call(`${front.url}${pipePath(firstPipe)}`, as("developer"))
      assert.strictEqual((yield* read).status, 200)

      const { stdout } = yield* operate("key", "create", "--admin", "--data", data)
      const [, id] = /key +(\S+)/.exec(stdout) ?? []
      const [, nextId] = /key ID +(\S+)/.exec(stdout) ?? []
      const [, nextSecret] = /(hgs_\w+)/.exec(stdout) ?? []
      const keys: ReadonlyArray<{ id: string }> = JSON.parse(
        (yield* operate("key", "list", "--json", "--data", data)).stdout
      )
      const old = keys.find((key) => key.id !== id)
      yield* operate("key", "delete", old?.id ?? "", "--data", data)
      const refused = yield* read
      assert.strictEqual(refused.status, 502)
      assert.match(refused.json.error, /^BAD_GATEWAY: the credentials of this gateway are refused; upstream: /)

      written(directory, "credentials.json", { keyId: nextId, keySecret: nextSecret })
      assert.strictEqual((yield* read).status, 200)
      // From now on, that is the key which the gateway keeps.
      const deleted = yield* call(`${front.url}${keysPath()}/${id}`, as("admin"), undefined, "DELETE")
      assert.deepStrictEqual([deleted.status, deleted.json.error.includes("this gateway uses this key")], [409, true])
    }).pipe(Effect.scoped)
  )

  it.live("takes its credentials from the environment, and an empty store stands for the upstream organization", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const file = join(directory, "credentials.json")
      const local = join(directory, "local.json")
      const imported = written(directory, "upstream.json", snapshot)
      const upstream = yield* serverProcess("--memory", "--import", imported, "--credentials-file", file)
      const { keyId, keySecret } = readCredentials(file)[0]!
      const env = {
        HEADGATE_UPSTREAM: upstream.url,
        HEADGATE_UPSTREAM_ORGANIZATION: organizationId,
        HEADGATE_UPSTREAM_KEY_ID: keyId,
        HEADGATE_UPSTREAM_KEY_SECRET: keySecret
      }
      const front = yield* serverProcessIn(env, "--memory", "--credentials-file", local, "--dialect", "clickhouse")
      const minted = readCredentials(local)[0]!
      // The upstream alone knows the name of the organization and its services.
      assert.deepStrictEqual<unknown>([minted.organization, minted.services], [{ id: organizationId }, []])
      assert.match(front.printed.stderr, new RegExp(`^New credentials .*\\n\\n  organization  ${organizationId}\\n\\n`))
      const authorization = `Basic ${btoa(`${minted.keyId}:${minted.keySecret}`)}`
      const path = pipePath(firstPipe, { segment: "clickpipes" })
      // The upstream is taken to speak as the gateway does, which it does not.
      assert.strictEqual((yield* call(`${front.url}${path}`, authorization)).status, 404)
      const translating = yield* serverProcessIn(
        env,
        "--memory",
        "--credentials-file",
        local,
        "--dialect",
        "clickhouse",
        "--upstream-dialect",
        "neutral"
      )
      const again = readCredentials(local)[0]!
      const read = yield* call(`${translating.url}${path}`, `Basic ${btoa(`${again.keyId}:${again.keySecret}`)}`)
      assert.strictEqual(read.json.result.settings.clickhouse_max_threads, pipes[0]!["settings"].db_max_threads)
      // There was no token.
      for (const noun of Struct.keys(ports.observability)) {
        const rows: Readonly<Record<string, AnyOperation>> = operations(dialects.neutral)[noun]
        const { method, path } = rows["list"] ?? rows["query"] ?? assert.fail()
        const body = method === "GET" ? undefined : examples(dialects.neutral).chart.query.payload
        const { json, status } = yield* call(`${translating.url}${path}`, `Bearer ${again.token}`, body, method)
        assert.strictEqual(status, 503)
        assert.deepStrictEqual(json, {
          message:
            'this gateway was started without a bearer token for its upstream: pass --upstream-token, or "token" in the ' +
            "file of --upstream-credentials"
        })
      }
    }).pipe(Effect.scoped)
  )

  it.live("shows nothing of a credentials file that it cannot read", () =>
    Effect.gen(function* () {
      const file = written(yield* temporaryDirectory, "credentials.json", { keyId: "k", secret: "hgs_misplaced" })
      const env = { HEADGATE_UPSTREAM: "https://api.example.com", HEADGATE_UPSTREAM_CREDENTIALS: file }
      const { code, stderr } = yield* operateIn(
        env,
        "--memory",
        "--port",
        "0",
        "--upstream-organization",
        organizationId,
        "--log-level",
        "all"
      )
      assert.strictEqual(code, 1)
      assert.include(stderr, '"keySecret"')
      assert.notInclude(stderr, "hgs_misplaced")
    }).pipe(Effect.scoped)
  )
})

describe("what fails behind a gateway", () => {
  const requestId = "3f0e2b7c-1111-4222-8333-444455556666"

  /** An upstream whose answer is told by the id of the pipe that is asked for. */
  const badDays: Record<string, RequestListener> = {
    "500": (_, response) => response.writeHead(500).end(JSON.stringify({ error: "INTERNAL_ERROR: oh", requestId })),
    "502": (_, response) => response.writeHead(502, { "x-request-id": requestId }).end("<h1>bad gateway</h1>"),
    "503": (_, response) =>
      response.writeHead(503, { "x-request-id": requestId, "retry-after": "1" }).end(JSON.stringify({ error: "busy" })),
    "504": (_, response) => response.writeHead(504, { "x-request-id": requestId }).end(),
    "401": (_, response) => response.writeHead(401, { "x-request-id": requestId }).end("Unauthorized"),
    "403": (_, response) => response.writeHead(403, { "x-request-id": requestId }).end(),
    "429": (_, response) =>
      response
        .writeHead(429, { "x-request-id": requestId, "x-ratelimit-reset": "1" })
        .end('{"error":"TOO_MANY_REQUESTS"}'),
    "404": (_, response) => response.writeHead(404).end(JSON.stringify({ error: "NOT_FOUND: none", requestId })),
    "400": (_, response) => response.writeHead(400).end(JSON.stringify({ error: "BAD_REQUEST: no", requestId })),
    "409": (_, response) => response.writeHead(409).end(JSON.stringify({ error: "CONFLICT: asleep", requestId })),
    "409 in flight": (_, response) =>
      response.writeHead(409, { "retry-after": "3" }).end(JSON.stringify({ error: "CONFLICT: in flight", requestId })),
    "412": (_, response) =>
      response.writeHead(412).end(JSON.stringify({ error: "PRECONDITION_FAILED: new", requestId })),
    "422": (_, response) =>
      response.writeHead(422).end(JSON.stringify({ error: "UNPROCESSABLE_ENTITY: reused", requestId })),
    "424": (_, response) =>
      response.writeHead(424).end(JSON.stringify({ error: "FAILED_DEPENDENCY: idle", requestId })),
    reset: (request) => request.socket.destroy(),
    "not JSON": (_, response) => response.writeHead(200, { "x-request-id": requestId }).end("<html>welcome</html>"),
    silence: () => {}
  }
  const names = Object.keys(badDays)
  const idOf = (name: string) => `00000000-0000-4000-8000-${String(names.indexOf(name)).padStart(12, "0")}`

  /** Status, code and whether the upstream's request is named. */
  const expected: Record<string, readonly [number, string, boolean]> = {
    "500": [502, "BAD_GATEWAY", true],
    "502": [502, "BAD_GATEWAY", true],
    "503": [503, "UNAVAILABLE", true],
    "504": [504, "GATEWAY_TIMEOUT", true],
    "401": [502, "BAD_GATEWAY", true],
    "403": [502, "BAD_GATEWAY", true],
    "429": [503, "UNAVAILABLE", true],
    "404": [404, "NOT_FOUND", true],
    "400": [400, "BAD_REQUEST", true],
    "409": [409, "CONFLICT", true],
    "409 in flight": [409, "CONFLICT", true],
    "412": [412, "PRECONDITION_FAILED", true],
    "422": [422, "UNPROCESSABLE_ENTITY", true],
    "424": [424, "FAILED_DEPENDENCY", true],
    reset: [502, "BAD_GATEWAY", false],
    "not JSON": [502, "BAD_GATEWAY", true],
    silence: [504, "GATEWAY_TIMEOUT", false]
  }

  /** The texts of the upstream that the caller can act on, and how long it asks to wait. */
  const texts: Record<string, string> = {
    "400": "no",
    "404": "none",
    "409": "asleep",
    "409 in flight": "in flight",
    "412": "new",
    "422": "reused",
    "424": "idle",
    "503": "busy"
  }
  const retryAfter: Record<string, string> = { "409 in flight": "3", "429": "1", "503": "1" }

  const requested: Array<string | undefined> = []
  const faulty = standIn((request, response) => {
    const name = names.find((name) => request.url?.endsWith(idOf(name)))
    requested.push(name)
    if (name === undefined) response.writeHead(500, { "x-request-id": requestId }).end("Internal Server Error")
    else badDays[name]?.(request, response)
  })

  it.live("comes out as 502, 503 or 504 in the shape of its API, and names the upstream's request", () =>
    Effect.gen(function* () {
      const { server, url } = yield* faulty
      const directory = yield* temporaryDirectory
      const secret = "hgs_0123456789012345678901234567890123456789"
      const front = yield* startGateway(
        directory,
        url,
        written(directory, "upstream.json", { keyId: "gatewaysKeyId", keySecret: secret, token: "hgt_the-gateways" }),
        "--upstream-timeout",
        "4"
      )
      const seen = yield* Effect.forEach(
        names,
        (name) =>
          Effect.map(
            call(`${front.url}${pipePath(idOf(name))}`, as("developer")),
            ({ headers, json, status, text }) => {
              const [wanted, code, named] = expected[name]!
              assert.strictEqual(status, wanted, `${name}: ${text}`)
              assert.strictEqual(json.status, wanted)
              assert.match(json.error, new RegExp(`^${code}: `), name)
              assert.strictEqual(json.error.includes(`(upstream request ${requestId})`), named, json.error)
              assert.strictEqual(json.requestId, headers.get("x-request-id"))
              assert.notStrictEqual(json.requestId, requestId)
              assert.strictEqual(headers.get("retry-after"), retryAfter[name] ?? null, name)
              assert.include(json.error, texts[name] ?? "", name)
              return text
            }
          ),
        { concurrency: "unbounded" }
      )
      // The caller repeats what failed: a gateway that did so, too, would multiply the requests.
      assert.deepStrictEqual(requested.toSorted(), names.toSorted())

      const lost = yield* call(`${front.url}${dashboardsPath}`, withToken, { name: "lost" })
      assert.strictEqual(lost.status, 502)
      assert.deepStrictEqual(Object.keys(lost.json), ["message"])
      assert.include(lost.json.message, requestId)

      server.close().closeAllConnections()
      const unreachable = yield* call(`${front.url}${pipePath(idOf("500"))}`, as("developer"))
      assert.strictEqual(unreachable.status, 502)

      const kept = seen.filter((text) => JSON.parse(text).status >= 502).length + 2
      const metrics = yield* Effect.promise(async () => (await fetch(`${front.url}/metrics`)).text())
      assert.include(metrics, `headgate_unavailable_total ${kept}\n`)

      const { stderr, stdout } = yield* Effect.promise(() => front.stop())
      assert.include(stdout + stderr, requestId)
      // The log has it under the id that the caller was told.
      assert.include(stdout + stderr, `requestId: '${unreachable.json.requestId}'`)
      for (const output of [stdout, stderr, lost.text, unreachable.text, ...seen]) {
        assert.notInclude(output, secret)
        assert.notInclude(output, "hgt_the-gateways")
      }
    }).pipe(Effect.scoped)
  )
})
