import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { configHome } from "./configHome.ts"
import { everything, headgate, organization, pipeId, serviceId } from "./headgate.ts"
import { dashboard, key, resourceDirectory } from "./resourceDirectory.ts"
import { enveloped, service } from "./Service.ts"

const api = service()
const home = configHome()
const files = resourceDirectory()
const id = "65f5e4a3b9e77c001a567890"

const pipeRequest = {
  name: "orders",
  source: {
    kinesis: {
      format: "JSONEachRow",
      streamName: "orders",
      region: "eu-central-1",
      iteratorType: "LATEST",
      authentication: "IAM_ROLE",
      iamRole: "arn:aws:iam::123456789012:role/orders"
    }
  },
  destination: {
    database: "analytics",
    table: "orders",
    managedTable: true,
    tableDefinition: { engine: { type: "MergeTree" } },
    columns: [{ name: "id", type: "String" }]
  }
}

const stored = {
  organizations: { id: organization, name: "Acme" },
  services: { id: serviceId, name: "ingest", state: "running" },
  dbpipes: { ...pipeRequest, id: pipeId, serviceId, name: "orders", state: "Paused" },
  keys: { id: pipeId, name: "ci", roles: ["admin"], state: "enabled" },
  roles: { id: pipeId, name: "auditor", type: "custom", actors: [], policies: [] },
  dbpipesReversePrivateEndpoints: { id: pipeId, serviceId, description: "a", type: "MSK_MULTI_VPC", status: "Ready" },
  dashboards: { id, name: "Errors", tiles: [], tags: [] },
  connections: { id, name: "production", host: "https://db.example.com:8443" },
  sources: { id, name: "Logs", kind: "log", connection: id },
  "saved-searches": { id, name: "Errors", sourceId: id, where: "level:error" },
  webhooks: { id, name: "On call", service: "generic", url: "https://hooks.test/x" },
  alerts: {
    id,
    name: "Too many",
    savedSearchId: id,
    threshold: 5,
    thresholdType: "above",
    interval: "5m",
    channel: { type: "webhook", webhookId: id }
  }
}

/** Answers every read of `stored`: a list of one, or the one. */
const answer = (path: string) => {
  if (path === "/v1/whoami") return enveloped({ organization: stored.organizations, roles: ["admin"] })
  if (path.endsWith("/status")) return enveloped({ state: "Paused", simulated: true })
  if (/\/(events|errors)$/.test(new URL(path, "http://x").pathname)) return enveloped([])
  if (new URL(path, "http://x").pathname.endsWith("/history")) {
    return enveloped({ from: "2026-10-18T17:40:00Z", to: "2026-10-18T17:42:00Z", stepSeconds: 60, points: [] })
  }
  if (path.endsWith("/charts/query")) {
    const columns = [{ name: "at", type: "DateTime", role: "time" }]
    const figures = { hiddenSeries: 0, truncated: false, rowsRead: 0, elapsedMs: 0, warnings: [] }
    const data = { displayType: "search", from: 0, to: 1, columns, rows: [], ...figures }
    return path.startsWith("/api/v2") ? { status: 200, body: { data } } : enveloped(data)
  }
  const names = new URL(path, "http://x").pathname.split("/")
  const [noun = "", one] = Object.entries(stored).findLast(([name]) => names.includes(name)) ?? []
  const result = names.at(-1) === noun ? [one] : one
  return path.startsWith("/api/v2") ? { status: 200, body: { data: result } } : enveloped(result)
}

const file = (name: string, document: object): ReadonlyArray<string> => {
  files.write(name, JSON.stringify(document))
  return ["--file", join(files.directory, name)]
}

/** Whole command lines, by the words of their command: of a test that runs all of them. */
const lines = (): Readonly<Record<string, ReadonlyArray<string>>> => {
  const documents = join(files.directory, "more")
  const settled = file("x.schema.json", pipeRequest)
  const named = (document: object) => file(`${Object.keys(document).join("-")}.schema.json`, document)
  const crud = (request: object) => ({
    list: [],
    get: [id],
    create: named(request),
    update: [id, ...named(request)],
    delete: [id]
  })
  const { id: _, ...connection } = stored.connections
  const { id: __, ...source } = stored.sources
  const { id: ___, ...search } = stored["saved-searches"]
  const { id: ____, ...webhook } = stored.webhooks
  const { id: _____, ...alert } = stored.alerts
  const role = { name: "auditor", actors: [], policies: [] }
  const nouns = {
    profile: { list: [], use: ["other"], delete: ["other"] },
    organization: { list: [], get: [] },
    service: { list: [], get: [], start: [], stop: [], wake: [] },
    pipe: {
      list: [],
      get: [pipeId],
      create: settled,
      update: [pipeId, ...named({ name: "x" })],
      rename: [pipeId, "x"],
      discover: settled,
      start: [pipeId],
      stop: [pipeId],
      resync: [pipeId],
      resume: [pipeId, "--skip"],
      adopt: [pipeId],
      scale: [pipeId, "--replicas", "2"],
      settings: [pipeId, "--set", "db_max_threads=2"],
      "cdc-scaling get": [],
      "cdc-scaling set": ["--cpu", "4000"],
      status: [pipeId],
      events: [pipeId],
      errors: [pipeId],
      history: [pipeId],
      rows: [pipeId, "--from", "-1h"],
      wait: [pipeId, "--for", "Paused"],
      watch: [pipeId, "--until", "Paused"],
      delete: [pipeId]
    },
    "private-endpoint": {
      list: [],
      get: [pipeId],
      create: ["--type", "MSK_MULTI_VPC", "--msk-cluster-arn", "arn", "--msk-authentication", "SASL_IAM"],
      update: [pipeId, "--dns-name", "a.example.com"],
      delete: [pipeId]
    },
    key: {
      list: [],
      get: [pipeId],
      create: ["--name", "x", "--role", "admin", "--credentials-file", join(files.directory, "created.env")],
      update: [pipeId, "--name", "x"],
      rotate: [pipeId, "--credentials-file", join(files.directory, "rotated.env")],
      delete: [pipeId]
    },
    role: { ...crud(role), get: [pipeId], update: [pipeId, ...named(role)], delete: [pipeId] },
    connection: crud(connection),
    source: crud(source),
    "saved-search": crud(search),
    webhook: crud(webhook),
    alert: crud(alert),
    dashboard: {
      ...crud({ name: "Errors", tiles: [], tags: [] }),
      validate: named({ name: "Errors", tiles: [], tags: [] }),
      show: [id, "--from", "-1h"],
      preview: [id, "--svg", join(files.directory, "errors.svg")],
      copy: [id, "--name", "Copy"]
    }
  }
  const nested = Object.entries(nouns).flatMap(([noun, verbs]) =>
    Object.entries(verbs).map(([verb, args]) => [`${noun} ${verb}`, args] as const)
  )
  return {
    ...Object.fromEntries(nested),
    login: ["--profile", "new"],
    logout: ["--profile", "other"],
    whoami: [],
    console: ["--open"],
    api: ["DELETE", "/v1/x"],
    diff: ["--file", documents],
    apply: ["--file", documents, "--prune", "--secrets-dir", files.secrets],
    export: ["--dir", documents],
    schema: ["pipe"],
    completion: ["bash"]
  }
}

/** Every file below a directory, with its content. */
const treeOf = (directory: string): ReadonlyArray<readonly [string, string]> =>
  readdirSync(directory, { recursive: true, encoding: "utf8" })
    .toSorted()
    .map((name) => {
      const path = join(directory, name)
      return [name, statSync(path).isFile() ? readFileSync(path, "utf8") : "directory"] as const
    })

const pages: Readonly<Record<string, { readonly commands: ReadonlyArray<unknown> }>> = JSON.parse(
  readFileSync(join(import.meta.dirname, "../dist/help.json"), "utf8")
)
const commands = Object.entries(pages).flatMap(([words, { commands }]) => (commands.length === 0 ? [words] : []))

describe("with --dry-run no file differs afterwards, and nothing that changes a document is sent:", () => {
  it.each(commands)("headgate %s", async (words) => {
    files.clear({ again: true })
    home.write({ current: "main", profiles: { main: { url: api.url }, other: { url: api.url } } })
    const args = lines()[words]
    assert.isDefined(args, `the test has no arguments for ${words}`)
    mkdirSync(join(files.directory, "more"))
    writeFileSync(join(files.directory, "more/ci.key.yaml"), key)
    writeFileSync(join(files.directory, "more/errors.dashboard.json"), dashboard)
    api.respondWith(({ path }) => answer(path))
    const before = [treeOf(join(files.directory, "..")), treeOf(home.env.XDG_CONFIG_HOME)]
    const env = { ...everything(api.url), ...home.env }
    const run = await headgate([...words.split(" "), ...args, "--dry-run"], { env, cwd: files.directory })
    // diff and apply end with 3 if there are differences.
    assert.include(["diff", "apply"].includes(words) ? [3] : [0], run.exitCode, run.stderr)
    assert.deepStrictEqual([treeOf(join(files.directory, "..")), treeOf(home.env.XDG_CONFIG_HOME)], before)
    const sent = api.received.filter(
      ({ method, path }) => method !== "GET" && !/\/(schemaDiscovery|charts\/query)$/.test(path)
    )
    assert.deepStrictEqual(sent, [])
  })
})
