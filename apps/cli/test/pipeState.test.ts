import { assert, describe, it } from "vitest"
import { enveloped, errorReply, service } from "./Service.ts"
import { everything, headgate, pipeId } from "./headgate.ts"

const api = service()
const serviceId = "22222222-2222-4222-8222-222222222222"
const pipe = { id: pipeId, serviceId, name: "orders", state: "Stopping", settings: { db_max_threads: 4 } }

const run = (...args: ReadonlyArray<string>) => headgate(["pipe", ...args], { env: everything(api.url) })

const sent = () => api.received.map(({ body, method, path }) => `${method} ${path.split("/").at(-1)} ${body}`)

describe("the commands that change a pipe", () => {
  it.each(["start", "stop", "resync"])("pipe %s sends the command and shows the pipe", async (command) => {
    api.respondWith(enveloped(pipe))
    const { exitCode, stdout } = await run(command, pipeId)
    assert.deepStrictEqual([exitCode, sent()], [0, [`PATCH state {"command":"${command}"}`]])
    assert.match(stdout, /^state +Stopping$/m)
  })

  it("a command that the state refuses ends with 1 and the text of the service", async () => {
    api.respondWith(errorReply(400, "BAD_REQUEST: command: pipe is already running"))
    const { exitCode, stderr, stdout } = await run("start", pipeId)
    assert.deepStrictEqual([exitCode, stdout], [1, ""])
    assert.include(stderr, "pipe is already running")
  })

  it("pipe scale sends what is given; a size out of bounds is not sent", async () => {
    api.respondWith(enveloped(pipe))
    const scaled = await run("scale", pipeId, "--replicas", "2", "--memory", "0.5", "--json")
    assert.strictEqual(scaled.exitCode, 0)
    assert.deepStrictEqual(JSON.parse(scaled.stdout), pipe)
    const { body } = api.received.at(-1) ?? { body: "" }
    assert.deepInclude(JSON.parse(body), { replicas: 2, replicaMemoryGb: 0.5 })
    const refused = await run("scale", pipeId, "--replicas", "41")
    assert.strictEqual(refused.exitCode, 2)
    assert.include(refused.stderr, "error: --replicas: Expected a whole number from 1 to 40.")
    const nothing = await run("scale", pipeId)
    assert.strictEqual(nothing.exitCode, 2)
    assert.include(nothing.stderr, "There is nothing to change: give --replicas,")
    const replica = await run("cdc-scaling", "set", "--cpu", "1500")
    assert.strictEqual(replica.exitCode, 2)
    assert.include(replica.stderr, "error: --cpu: Expected")
    assert.lengthOf(api.received, 1)
  })

  it("pipe settings shows them, and changes some and keeps the others", async () => {
    api.respondWith(({ body, method }) => enveloped(method === "PUT" ? JSON.parse(body) : { db_max_threads: 4 }))
    const shown = await run("settings", pipeId)
    assert.deepStrictEqual([shown.exitCode, shown.stdout], [0, "db_max_threads  4\n"])
    const changed = await run("settings", pipeId, "--set", "streaming_max_insert_wait_ms=500", "--json")
    assert.deepStrictEqual(JSON.parse(changed.stdout), { db_max_threads: 4, streaming_max_insert_wait_ms: 500 })
    const wrong = await run("settings", pipeId, "--set", "db_max_threads=many")
    assert.strictEqual(wrong.exitCode, 2)
    assert.include(wrong.stderr, "--set db_max_threads: Expected a number, true, false or null.")
  })

  it("pipe settings names a setting as it was typed", async () => {
    api.respondWith(({ body, method }) => enveloped(method === "PUT" ? JSON.parse(body) : {}))
    const set = (setting: string) => run("settings", pipeId, "--dialect", "clickhouse", "--set", setting)
    const { exitCode, stderr } = await set("clickhouse_max_threads=999")
    assert.strictEqual(exitCode, 2)
    assert.include(stderr, "error: --set clickhouse_max_threads: Expected")
    const misspelt = await set("clickhouse_max_thread=9")
    assert.strictEqual(misspelt.exitCode, 0)
    assert.include(misspelt.stderr, "--set clickhouse_max_thread: did you mean clickhouse_max_threads?")
  })

  it.each<[ReadonlyArray<string>, object]>([
    [["--from", "warehouse"], { from: "warehouse" }],
    [["--replay"], { pending: "replay" }],
    [["--skip"], { pending: "skip" }],
    [["--accept-table"], { acceptTable: true }]
  ])("pipe resume %s sends the decision and shows the pipe", async (flags, body) => {
    api.respondWith(enveloped({ id: pipeId, serviceId, name: "orders", state: "Provisioning" }))
    const { exitCode, stdout } = await run("resume", pipeId, ...flags)
    assert.strictEqual(exitCode, 0)
    assert.match(stdout, /Provisioning/)
    assert.deepStrictEqual(sent(), [`POST resume ${JSON.stringify(body)}`])
  })

  it.each([
    [[]],
    [["--replay", "--skip"]],
    [["--skip", "--accept-table"]],
    [["--from", "start", "--skip"]],
    [["--from", "end"]]
  ])("pipe resume %s is a usage error, and sends nothing", async (flags) => {
    assert.strictEqual((await run("resume", pipeId, ...flags)).exitCode, 2)
    assert.lengthOf(api.received, 0)
  })

  it("pipe adopt sends no body and shows the pipe", async () => {
    api.respondWith(enveloped({ id: pipeId, serviceId, name: "orders", state: "Provisioning" }))
    const { exitCode, stdout } = await run("adopt", pipeId)
    assert.deepStrictEqual([exitCode, sent()], [0, ["POST adopt "]])
    assert.match(stdout, /Provisioning/)
  })

  it("pipe status shows how a pipe goes on", async () => {
    const status = { state: "Failed", message: "no broker", since: null, next: null, due: null, simulated: true }
    api.respondWith(enveloped(status))
    const { exitCode, stdout } = await run("status", pipeId, "--json")
    assert.deepStrictEqual([exitCode, JSON.parse(stdout)], [0, status])
  })
})
