// What a storage may do to a signed address, and where that must not be read: anyone who has one may read the object.
import { assert, it } from "@effect/vitest"
import { objectStorageRequest } from "@headgate/harness/pipeRequests"
import { redirectTo, startStorageDouble, type StorageFault, type StorageRequest } from "@headgate/harness/StorageDouble"
import * as Effect from "effect/Effect"
import { describeChdb, startServer } from "../../../packages/mover-clickhouse/test/support/chdb.ts"
import { newDatabase, query, rows, startServing, until } from "./support/moving.ts"
import { temporaryDirectory } from "./support/processes.ts"

const key = { accessKeyId: "the-id-of-the-key", secretKey: "the-5ecret-of-the-key" }

/** What a storage may repeat of what it was asked for. */
const echoOf = ({ path, query }: StorageRequest): string => {
  const address = `http://storage.example.com${path}?${query}`
  const lines = Array.from(query, ([name, value]) => `<${name}>${value}</${name}>`).join("\n")
  return `<Error><Code>SignatureDoesNotMatch</Code><StringToSign>AWS4-HMAC-SHA256\n${query.get("X-Amz-Credential")}</StringToSign>
    <CanonicalRequest>GET\n${path}\n${query}\nhost</CanonicalRequest><Resource>${address}</Resource>${lines}</Error>`
}

/** A storage, and what it does with each object: `request` is one of the warehouse for its rows. */
interface Case {
  readonly body?: string
  readonly fault?: (request: StorageRequest, storage: Storage) => StorageFault | undefined
  /** The end of the pipe, and what its status says. */
  readonly state: "Completed" | "Degraded"
  readonly message?: RegExp
  /** The field that a discovery names. */
  readonly field?: string
  readonly rows?: number
}

const startStorage = Effect.fnUntraced(function* (address: string) {
  const double = yield* startStorageDouble({ key, address })
  return { ...double, dates: new Set<string>(), hostname: address }
})
type Storage = Effect.Success<ReturnType<typeof startStorage>>

/** The date of the signature of a request. */
const dateOf = ({ query }: StorageRequest): string => query.get("X-Amz-Date") ?? ""

const cases: Readonly<Record<string, Case>> = {
  good: { state: "Completed", rows: 10 },
  bad: { body: `{"n":1,"text":"a"}\n{"n":"none"}`, state: "Completed", rows: 1 },
  damaged: { body: "no row", state: "Completed", rows: 0, field: "format" },
  forbidden: {
    fault: (request) => ({ status: 403, body: echoOf(request) }),
    state: "Degraded",
    message: /^the storage refuses object forbidden\.json: 403$/,
    field: "accessKey"
  },
  // Signed anew for the next statement.
  expired: {
    fault: (request, { dates }) => {
      if (dates.size === 0) dates.add(dateOf(request))
      return dates.has(dateOf(request)) ? { status: 403, body: "<Error>Request has expired</Error>" } : undefined
    },
    state: "Completed",
    rows: 10
  },
  gone: {
    fault: (request) => ({ status: 404, body: echoOf(request) }),
    state: "Degraded",
    message: /^object gone\.json is gone since it was planned$/
  },
  changed: {
    fault: (request) => ({ status: 412, body: echoOf(request) }),
    state: "Degraded",
    message: /^object changed\.json has changed since it was planned$/
  },
  // It is planned anew.
  replaced: {
    fault: (_, { put }) => {
      put("bucket/replaced.json", rows(5).join("\n"))
      return undefined
    },
    state: "Completed",
    rows: 5
  },
  removed: {
    fault: (_, { remove }) => {
      remove("bucket/removed.json")
      return undefined
    },
    state: "Completed",
    rows: 0
  },
  moved: {
    fault: (request) => redirectTo("127.0.0.1:1", 301, "Location", `${request.path}?${request.query}`),
    state: "Degraded",
    message: /^the storage redirects object moved\.json to another address, which is not followed: the URL has to name/,
    field: "url"
  },
  elsewhere: {
    fault: () => redirectTo("127.0.0.1:1", 307, "PermanentRedirect"),
    state: "Degraded",
    message: /^the storage redirects object elsewhere\.json to another address/,
    field: "url"
  },
  broken: {
    fault: (request) => ({ status: 500, body: echoOf(request) }),
    state: "Degraded",
    message: /^the storage refuses object broken\.json: 500$/
  },
  cut: { fault: () => ({ cutAfter: 20 }), state: "Degraded" }
}

/** The cases of the client of S3, which signs by itself and tries others many times. */
const ofClient = ["bad", "forbidden", "moved"]

const server = Effect.gen(function* () {
  const [warehouse, directory] = [yield* startServer(), yield* temporaryDirectory]
  // One is read by url(), the other one by the client of S3.
  const [storage, trusted] = [yield* startStorage("127.0.0.1"), yield* startStorage("127.0.0.2")]
  for (const one of [storage, trusted]) {
    for (const [name, { body = rows(10).join("\n") }] of Object.entries(cases)) one.put(`bucket/${name}.json`, body)
    one.failBy((request) => {
      const [, name = ""] = /^\/bucket\/(\w+)\.json$/.exec(request.path) ?? []
      return request.method === "GET" ? cases[name]?.fault?.(request, one) : undefined
    })
  }
  const args = ["--trust-storage", trusted.hostname, "--access-log", "json"]
  const serving = yield* startServing(directory, {}, "--data", directory, "--warehouse", warehouse.url, ...args)
  return { serving, storage, trusted, warehouse }
})

/** All rows of all tables, as text. */
const dump = Effect.fnUntraced(function* (warehouse: { readonly url: string }, database: string) {
  const found = yield* query(warehouse, `SHOW TABLES FROM ${database}`)
  const texts = yield* Effect.forEach(found.split("\n"), (table) =>
    query(warehouse, `SELECT * FROM ${database}.${table} FORMAT JSONEachRow`)
  )
  return texts.join("\n")
})

describeChdb("a signed address", () => {
  it.live(
    "is in no answer, status, log, metric or table, whatever its storage does, and the status says what that was",
    () =>
      Effect.gen(function* () {
        const { serving, storage, trusted, warehouse } = yield* server
        const texts: Array<string> = []
        const database = yield* newDatabase(warehouse)
        const call = (...args: Parameters<typeof serving.call>) =>
          Effect.tap(serving.call(...args), ({ text }) => Effect.sync(() => texts.push(text)))

        for (const one of [storage, trusted]) {
          for (const [name, { field, message, rows, state }] of Object.entries(cases)) {
            if (one === trusted && !ofClient.includes(name)) continue
            const table = one === storage ? name : `${name}_by_client`
            const objects = objectStorageRequest(`${one.url}/bucket/${name}.json`, database, { accessKey: key })
            const request = { ...objects, destination: { ...objects.destination, table } }
            const { json, status, text } = yield* call("POST", "", request)
            assert.strictEqual(status, 200, text)
            const path = `/${json.result.id}`
            const at = `${name} at ${one.hostname}`
            // A connection that breaks is told like any other failure, and the pipe tries again.
            const isTold = (text = "") => one === trusted || message === undefined || message.test(text)
            yield* until(
              Effect.map(
                call("GET", `${path}/status`),
                ({ json: { result } }) => result.state === state && isTold(result.message)
              )
            )
            if (rows !== undefined) {
              assert.strictEqual(yield* query(warehouse, `SELECT count() FROM ${database}.${table}`), String(rows), at)
            }
            yield* call("GET", path)
            yield* call("DELETE", path)
            const discovered = yield* call("POST", "/schemaDiscovery", { source: request.source })
            if (one === storage && field !== undefined) {
              assert.include(discovered.text, `source.objectStorage.${field}: `, at)
            }
          }
        }

        const signed = [storage, trusted].flatMap(({ requests }) => requests)
        const secrets = new Set([
          ...Object.values(key),
          "aws4_request",
          ...signed.flatMap(({ query }) => query.get("X-Amz-Signature") ?? [])
        ])
        assert.isAbove(secrets.size, 10)
        const leaks = (text: string) => Array.from(secrets).filter((secret) => text.includes(secret))
        const tables = yield* dump(warehouse, database)
        // What is looked at has what it should have, and a leak would be found.
        assert.include(tables, "none")
        const [first] = signed.filter(({ query }) => query.has("X-Amz-Signature"))
        assert.isAbove(leaks(first === undefined ? "" : echoOf(first)).length, 2)

        const metrics = yield* Effect.promise(() => fetch(`${serving.url}/metrics`).then((answer) => answer.text()))
        const { stderr, stdout } = yield* Effect.promise(() => serving.stop())
        assert.include(stderr, "-> Degraded")
        const looked = {
          answers: texts.join("\n"),
          metrics,
          stderr,
          stdout,
          tables,
          // Servers and proxies log the addresses of requests.
          "requests to the warehouse": warehouse.urls.join("\n")
        }
        for (const [where, text] of Object.entries(looked)) assert.notStrictEqual(text, "", where)
        const found = Object.entries(looked).flatMap(([where, text]) =>
          leaks(text).map((secret) => {
            const at = text.indexOf(secret)
            return `${where}: ${text.slice(Math.max(0, at - 200), at + secret.length)}`
          })
        )
        assert.deepStrictEqual(found, [])
      }).pipe(Effect.scoped),
    240_000
  )
})
