import { spawn } from "node:child_process"
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { everything, headgate, headgateProcess, pipeId, serviceId } from "./headgate.ts"
import { filesOnServer } from "./filesOnServer.ts"
import { type LocalServer, startLocalServer } from "./localServer.ts"
import { enveloped, service } from "./Service.ts"
import { dashboard, kafkaPipe, key, postgresPipe } from "./resourceDirectory.ts"

const api = service()
const { files, server } = filesOnServer()

const env = () => ({ ...server().env, ORDERS_PASSWORD: "s3cr3t-of-the-broker" })
const run = (command: string, ...args: ReadonlyArray<string>) =>
  headgate([command, "-f", files.directory, ...args], { env: env() })
const apply = (...args: ReadonlyArray<string>) => run("apply", "--yes", "--secrets-dir", files.secrets, ...args)
const list = async (noun: string) => JSON.parse((await headgate([noun, "list", "--json"], { env: env() })).stdout)
const pipe = async (name: string) => (await list("pipe")).find((one: { readonly name: string }) => one.name === name)

const succeeds = async (result: ReturnType<typeof headgate>) => {
  const { exitCode, stderr, stdout } = await result
  assert.strictEqual(exitCode, 0, stderr)
  return { stderr, stdout }
}

const writeAll = () => {
  files.write("orders.pipe.yaml", kafkaPipe)
  files.write("shop.pipe.yaml", postgresPipe("orders"))
  files.write("shop.secret", "s3cr3t-of-the-shop\n")
  files.write("ci.key.yaml", key)
  files.write("errors.dashboard.json", dashboard)
}

describe("headgate apply", () => {
  it("creates what the files say; a second apply and diff find nothing to change", async () => {
    writeAll()
    const { exitCode, stdout } = await run("diff")
    assert.strictEqual(exitCode, 3)
    assert.include(stdout, '+ create pipe "orders" (orders.pipe.yaml)')
    assert.include(stdout, '+ source.kafka.topics: "orders"')
    assert.include(stdout, '+ source.kafka.credentials: "<redacted>"')
    assert.include(stdout, '+ tiles[0]: {"name":"count","x":0,"y":0,"w":12,"h":4,')
    assert.include(stdout, '+ ipAccessList[0]: {"source":"203.0.113.0/24","description":"office"}')
    assert.include(stdout, "4 to create, 0 unchanged")
    const applied = await succeeds(apply())
    assert.strictEqual(applied.stdout, stdout)
    assert.match(applied.stderr, /^created dashboard "Errors"$/m)
    assert.notMatch(applied.stderr, /to create|source\.kafka/)
    const ids = (await list("pipe")).map(({ id }: { readonly id: string }) => id).toSorted()
    const lock = files.lock()
    assert.deepStrictEqual(
      lock.map(({ created, kind, name }: Record<string, unknown>) => [kind, name, created]),
      [
        ["dashboard", "Errors", true],
        ["key", "ci", true],
        ["pipe", "orders", true],
        ["pipe", "shop", true]
      ]
    )
    assert.strictEqual((await succeeds(apply())).stdout, "4 unchanged\n")
    assert.deepStrictEqual(files.lock(), lock)
    assert.strictEqual((await run("diff")).exitCode, 0)
    assert.deepStrictEqual((await list("pipe")).map(({ id }: { readonly id: string }) => id).toSorted(), ids)
  })

  it("with --dry-run is a diff, and changes no file", async () => {
    writeAll()
    const before = files.names()
    const [dry, plan] = [await apply("--dry-run"), await run("diff")]
    assert.deepStrictEqual(dry, plan)
    assert.strictEqual(dry.exitCode, 3)
    assert.deepStrictEqual([files.names(), await list("pipe"), existsSync(files.secrets)], [before, [], false])
  })

  it("writes the credentials of a new key to a file of its own, readable by its owner alone", async () => {
    files.write("ci.key.yaml", key)
    const without = await run("apply", "--yes")
    assert.strictEqual(without.exitCode, 2)
    assert.include(without.stderr, "give --secrets-dir")
    await succeeds(apply())
    const path = join(files.secrets, "ci.json")
    assert.strictEqual(statSync(path).mode & 0o777, 0o600)
    const { keyId, keySecret } = JSON.parse(readFileSync(path, "utf8"))
    const login = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`
    // The key is for another network: 403, not 401.
    const { status } = await fetch(`${server().url}/v1/whoami`, { headers: { authorization: login } })
    assert.strictEqual(status, 403)
    assert.notInclude(files.read("headgate.lock.json") + files.read("ci.key.yaml"), keySecret)
  })

  it("writes no credentials over those of another key", async () => {
    files.write("ci.key.yaml", key)
    await succeeds(apply())
    await server().reset()
    const { exitCode, stderr } = await apply()
    assert.strictEqual(exitCode, 2)
    assert.include(stderr, "holds credentials")
    assert.lengthOf(await list("key"), 1)
  })

  it("changes a key, and sends only what differs", async () => {
    files.write("ci.key.yaml", key)
    await succeeds(apply())
    files.edit("ci.key.yaml", "name: ci", "name: ci2\nexpireAt: 2040-01-31\nstate: disabled")
    const { exitCode, stderr } = await apply()
    assert.strictEqual(exitCode, 2)
    assert.include(stderr, "ci.key.yaml: expireAt")
    files.edit("ci.key.yaml", "2040-01-31", "2040-01-31T00:00:00Z")
    files.edit("ci.key.yaml", "[developer]", "[query_endpoints, developer]")
    await succeeds(apply())
    const [changed] = (await list("key")).filter(({ name }: { readonly name: string }) => name === "ci2")
    assert.deepInclude(changed, { state: "disabled", expireAt: "2040-01-31T00:00:00Z" })
    assert.sameMembers(changed.roles, ["developer", "query_endpoints"])
    assert.strictEqual((await succeeds(apply())).stdout, "1 unchanged\n")
  })

  it("stops a Postgres pipe to change its tables, and starts it again", async () => {
    files.write("shop.pipe.yaml", postgresPipe("orders"))
    files.write("shop.secret", "s3cr3t-of-the-shop")
    await succeeds(apply())
    const { id } = await pipe("shop")
    files.write("shop.pipe.yaml", postgresPipe("items", "refunds"))
    assert.include((await succeeds(apply())).stdout, "steps: stop, update, start")
    const changed = await pipe("shop")
    assert.strictEqual(changed.id, id)
    assert.deepStrictEqual(
      changed.source.postgres.tableMappings.map(({ sourceTable }: Record<string, unknown>) => sourceTable),
      ["items", "refunds"]
    )
    assert.strictEqual((await run("diff")).exitCode, 0)
  })

  it("takes `stopped` as the wish, and leaves the state of a pipe without it", async () => {
    files.write("orders.pipe.yaml", `${kafkaPipe}stopped: true\n`)
    await succeeds(apply())
    assert.strictEqual((await pipe("orders")).state, "Stopped")
    assert.strictEqual((await run("diff")).exitCode, 0)
    files.edit("orders.pipe.yaml", "stopped: true\n", "")
    assert.strictEqual((await run("diff")).exitCode, 0)
    files.write("orders.pipe.yaml", `${kafkaPipe}stopped: false\n`)
    assert.include((await run("diff")).stdout, "+ stopped: false")
    await succeeds(apply())
    assert.include(["Provisioning", "Running"], (await pipe("orders")).state)
    files.edit("orders.pipe.yaml", "stopped: false", "state: Running")
    assert.include((await run("diff")).stderr, "orders.pipe.yaml: state: Expected none")
  })

  it("keeps the ids of tiles, and sees what others change", async () => {
    files.write("errors.dashboard.json", dashboard)
    await succeeds(apply())
    const [before] = await list("dashboard")
    const document = JSON.parse(dashboard)
    const [count, last] = document.tiles
    files.write(
      "errors.dashboard.json",
      JSON.stringify({ ...document, tiles: [{ ...last, w: 6 }, count], tags: ["a"] })
    )
    await succeeds(apply())
    const [after] = await list("dashboard")
    const idsByName = (tiles: ReadonlyArray<{ readonly id: string; readonly name: string }>) =>
      Object.fromEntries(tiles.map(({ id, name }) => [name, id]))
    assert.deepStrictEqual(idsByName(after.tiles), idsByName(before.tiles))
    const path = join(files.directory, "..", "changed.json")
    writeFileSync(path, JSON.stringify({ ...after, tags: [] }))
    await succeeds(headgate(["dashboard", "update", after.id, "--file", path], { env: env() }))
    assert.include((await run("diff")).stdout, '+ tags: ["a"]')
  })

  it("refuses what cannot be changed unless --replace", async () => {
    files.write("orders.pipe.yaml", kafkaPipe)
    await succeeds(apply())
    const { id } = await pipe("orders")
    files.edit("orders.pipe.yaml", "table: orders", "table: orders2")
    const refused = await apply()
    assert.deepStrictEqual([refused.exitCode, (await pipe("orders")).id], [2, id])
    assert.include(refused.stderr, "destination.table cannot change")
    assert.strictEqual((await apply("--replace")).exitCode, 2)
    assert.strictEqual((await pipe("orders")).id, id)
    await succeeds(apply("--replace", "--yes-prune"))
    const replaced = await pipe("orders")
    assert.deepStrictEqual([replaced.id === id, replaced.destination.table], [false, "orders2"])
    assert.strictEqual((await run("diff")).exitCode, 0)
  })

  it("prunes only what it created, never the key of the caller, with a confirmation of its own", async () => {
    writeAll()
    await succeeds(headgate(["dashboard", "create", "--name", "Errors"], { env: env() }))
    await succeeds(headgate(["export", "--dir", files.directory, "--kind", "key"], { env: env() }))
    await succeeds(apply())
    // The lock says that the directory created the key of the caller: it is not deleted all the same.
    const own = `"name": "first admin key"`
    files.write(
      "headgate.lock.json",
      files.read("headgate.lock.json").replace(new RegExp(`(${own}[^}]*"created": )false`), "$1true")
    )
    for (const file of files.names()) if (/\.(yaml|json)$/.test(file) && !file.includes("lock")) files.remove(file)
    assert.include((await run("diff")).stdout, 'note: pipe "orders" has no file any more: --prune deletes it')
    const plan = (await run("diff", "--prune")).stdout
    for (const name of ['key "ci"', 'pipe "orders"', 'pipe "shop"']) assert.include(plan, `- delete ${name}`)
    assert.notInclude(plan, '- delete key "first admin key"')
    assert.include(plan, 'note: key "first admin key" has no file any more and stays: this command uses it')
    assert.strictEqual((await apply("--prune")).exitCode, 2)
    assert.lengthOf(await list("pipe"), 2)
    await succeeds(apply("--prune", "--yes-prune"))
    assert.lengthOf(await list("pipe"), 0)
    assert.lengthOf(await list("key"), 1)
    // It was there before, and the file took it over.
    assert.lengthOf(await list("dashboard"), 1)
  })

  it("finds a resource without a lock by its name, and two of a name are an error that lists them", async () => {
    files.write("errors.dashboard.json", dashboard)
    await succeeds(apply())
    files.remove("headgate.lock.json")
    assert.strictEqual((await run("diff")).exitCode, 0)
    await succeeds(headgate(["dashboard", "create", "--name", "Errors"], { env: env() }))
    const { exitCode, stderr } = await run("diff")
    assert.strictEqual(exitCode, 2)
    for (const { id } of await list("dashboard")) assert.include(stderr, id)
  })
})

describe("a directory that another process changes", () => {
  const sleeping = () => spawn(process.execPath, ["-e", "setInterval(() => {}, 60_000)"])
  const claim = (pid: number | undefined, host = hostname()) => `.headgate-${pid}@${host}`
  const claims = () => files.names().filter((name) => name.startsWith("."))

  it.each(["apply", "export"])("is left to it: %s stops", async (command) => {
    files.write("errors.dashboard.json", dashboard)
    const other = sleeping()
    files.write(claim(other.pid), "")
    const args = command === "apply" ? ["-f", files.directory, "--yes"] : ["--dir", files.directory]
    const { exitCode, stderr } = await headgate([command, ...args], { env: env() })
    other.kill()
    assert.strictEqual(exitCode, 2)
    assert.include(stderr, `process ${other.pid} on ${hostname()}`)
    assert.deepStrictEqual([await list("dashboard"), claims()], [[], [claim(other.pid)]])
  })

  it("and was killed is free again, on this machine", async () => {
    files.write("errors.dashboard.json", dashboard)
    const other = sleeping()
    files.write(claim(other.pid), "")
    await new Promise((resolve) => other.once("exit", resolve).kill("SIGKILL"))
    await succeeds(apply())
    assert.deepStrictEqual(claims(), [])
    files.write(claim(other.pid, "another"), "")
    const { exitCode, stderr } = await apply()
    assert.strictEqual(exitCode, 2)
    assert.include(stderr, `delete ${join(files.directory, claim(other.pid, "another"))}`)
  })

  it("creates nothing twice when two begin at once", async () => {
    for (const name of ["a", "b", "c"]) files.write(`${name}.dashboard.json`, dashboard.replace("Errors", name))
    const args = ["apply", "-f", files.directory, "--yes"]
    const both = await Promise.all([1, 2].map(() => headgateProcess(args, { env: env() })))
    assert.isTrue(both.every(({ exitCode }) => exitCode === 0 || exitCode === 2))
    await succeeds(apply())
    assert.lengthOf(await list("dashboard"), 3)
  })
})

describe("secrets", () => {
  it("take the place of their references in what is sent", async () => {
    files.write("orders.pipe.yaml", kafkaPipe.replace("username: headgate", 'username: "${file:user}-${env:SHOP}"'))
    files.write("user", "headgate\n")
    const created = { id: pipeId, serviceId, name: "orders", state: "Provisioning" }
    api.respondWith(({ method }) => enveloped(method === "POST" ? created : []))
    const env = { ...everything(api.url), ORDERS_PASSWORD: "s3cr3t", SHOP: "1" }
    await succeeds(headgate(["apply", "-f", files.directory, "--yes"], { env }))
    const { body } = api.received.find(({ method }) => method === "POST") ?? { body: "{}" }
    assert.deepStrictEqual(JSON.parse(body).source.kafka.credentials, { username: "headgate-1", password: "s3cr3t" })
    assert.notInclude(files.read("headgate.lock.json"), "s3cr3t")
  })

  it("are resolved in credential fields, and text elsewhere", async () => {
    const text = kafkaPipe.replace("topics: orders", "topics: ${env:ORDERS_PASSWORD}")
    files.write("orders.pipe.yaml", text)
    await succeeds(apply())
    assert.strictEqual((await pipe("orders")).source.kafka.topics, "${env:ORDERS_PASSWORD}")
    assert.strictEqual((await run("diff")).exitCode, 0)
  })

  it.each([
    ["${env:NOT_SET}", "NOT_SET is not set"],
    ["${env:NOT${env:ORDERS_PASSWORD}", "NOT${env:ORDERS_PASSWORD is not set"],
    ["${file:not-there}", "there is no such file"],
    ["${vault:orders}", "${vault:...}"]
  ])("that cannot be read name the field, and nothing is sent: %s", async (reference, words) => {
    writeAll()
    files.edit("orders.pipe.yaml", "${env:ORDERS_PASSWORD}", reference)
    const { exitCode, stderr } = await apply()
    assert.strictEqual(exitCode, 2)
    assert.include(stderr, "source.kafka.credentials.password")
    assert.include(stderr, words)
    assert.deepStrictEqual([await list("pipe"), await list("dashboard")], [[], []])
    assert.isFalse(existsSync(join(files.directory, "headgate.lock.json")))
  })

  it("of a pipe that exists are sent with --send-secrets alone", async () => {
    files.write("orders.pipe.yaml", kafkaPipe)
    await succeeds(apply())
    files.edit("orders.pipe.yaml", "ORDERS_PASSWORD", "NOT_SET")
    files.edit("orders.pipe.yaml", "topics: orders", "topics: refunds")
    await succeeds(apply())
    assert.strictEqual((await apply("--send-secrets")).exitCode, 2)
    files.edit("orders.pipe.yaml", "NOT_SET", "ORDERS_PASSWORD")
    const { stderr, stdout } = await succeeds(apply("--send-secrets"))
    assert.include(stdout, '+ source.kafka.credentials: "<redacted>"')
    assert.notInclude(stdout + stderr, "s3cr3t")
  })
})

describe("with a service that fills in what a document leaves out", () => {
  let clickhouse: LocalServer
  beforeAll(async () => {
    clickhouse = await startLocalServer("--dialect", "clickhouse")
  })
  afterAll(() => clickhouse.stop())
  beforeEach(() => clickhouse.reset())
  const own = () => ({ ...clickhouse.env, HEADGATE_DIALECT: "clickhouse" })
  const diff = () => headgate(["diff", "-f", files.directory], { env: own() })
  const apply = () => succeeds(headgate(["apply", "-f", files.directory, "--yes"], { env: own() }))
  const stored = async () => JSON.parse((await headgate(["dashboard", "list", "--json"], { env: own() })).stdout)[0]

  it("this is no difference, and a change of it is one", async () => {
    const tile = { name: "Notes", x: 0, y: 0, w: 6, h: 2, config: { displayType: "markdown" } }
    files.write("notes.dashboard.json", JSON.stringify({ name: "Notes", tiles: [tile] }))
    await apply()
    assert.strictEqual((await diff()).exitCode, 0)
    const { id, ...document } = await stored()
    assert.property(document.tiles[0].config, "markdown")
    const path = join(files.directory, "..", "changed.json")
    const config = { displayType: "markdown", markdown: "changed" }
    writeFileSync(path, JSON.stringify({ ...document, tiles: [{ ...document.tiles[0], config }] }))
    await succeeds(headgate(["dashboard", "update", id, "--file", path], { env: own() }))
    const changed = await diff()
    assert.strictEqual(changed.exitCode, 3)
    assert.include(changed.stdout, '- tiles[0].config.markdown: "changed"')
  })

  it("a filter that is new has an id in the request, and the others keep theirs", async () => {
    const create = async (noun: string, document: object) => {
      const args = [noun, "create", "--file", "-", "--json"]
      const env = { ...own(), HEADGATE_TOKEN: clickhouse.token, HEADGATE_OBSERVABILITY_URL: clickhouse.url }
      const { exitCode, stderr, stdout } = await headgate(args, { env, stdin: JSON.stringify(document) })
      assert.strictEqual(exitCode, 0, stderr)
      return JSON.parse(stdout).id
    }
    const connection = await create("connection", { name: "c", host: "https://db.example.com:8443", username: "u" })
    const source = await create("source", { name: "Logs", kind: "log", connection })
    const filter = (name: string) => ({ type: "QUERY_EXPRESSION", name, expression: name, sourceId: source })
    const write = (...names: ReadonlyArray<string>) =>
      files.write("notes.dashboard.json", JSON.stringify({ name: "Notes", tiles: [], filters: names.map(filter) }))
    write("b")
    await apply()
    const [before] = (await stored()).filters
    write("a", "b", "c")
    await apply()
    const { filters } = await stored()
    assert.deepStrictEqual(
      filters.map(({ name }: { readonly name: string }) => name),
      ["a", "b", "c"]
    )
    assert.strictEqual(filters[1].id, before.id)
    assert.strictEqual((await diff()).exitCode, 0)
  })

  it("what a file of a dashboard no longer has is taken away", async () => {
    const document = {
      name: "Notes",
      tiles: [],
      tags: ["a"],
      savedQuery: "level:error",
      savedQueryLanguage: "lucene",
      savedFilterValues: [{ type: "sql", condition: "a = 1" }],
      containers: [{ id: "c", title: "C", collapsed: false }]
    }
    files.write("notes.dashboard.json", JSON.stringify(document))
    await apply()
    assert.deepInclude(await stored(), document)
    files.write("notes.dashboard.json", JSON.stringify({ name: "Notes", tiles: [] }))
    assert.include((await apply()).stdout, '- savedQuery: "level:error"')
    const { savedFilterValues, savedQuery, savedQueryLanguage, tags, containers } = await stored()
    assert.deepStrictEqual([savedFilterValues, tags, containers ?? []], [[], [], []])
    assert.deepStrictEqual([savedQuery ?? null, savedQueryLanguage ?? null], [null, null])
    assert.strictEqual((await diff()).exitCode, 0)
  })
})
