import { assert, describe, it } from "vitest"
import { enveloped, errorReply, service } from "./Service.ts"
import { everything, headgate, pipeId } from "./headgate.ts"

const api = service()
const run = (...args: ReadonlyArray<string>) => headgate(["pipe", ...args], { env: everything(api.url) })
const sent = () => api.received.map(({ method, path }) => `${method} ${path.split("/").at(-1)}`)

const event = {
  position: "17",
  at: "2026-10-18T17:42:05.250Z",
  from: "Running",
  to: "Degraded",
  message: "away\u001b[31m\u0007 \u202e",
  by: "mover",
  mover: "host-1:4711"
}
const creation = { ...event, position: "16", from: null, to: "Provisioning", message: null, by: "caller", mover: null }
const key = { id: "33333333-3333-4333-8333-333333333333", name: "deploy" }

describe("pipe events", () => {
  it("shows each change with what made it, and no control character", async () => {
    api.respondWith(enveloped([event, { ...creation, key }]))
    const { exitCode, stderr, stdout } = await run("events", pipeId)
    assert.deepStrictEqual([exitCode, stderr, sent()], [0, "", ["GET events"]])
    const [head, first, second, ...more] = stdout.trimEnd().split("\n")
    assert.match(head ?? "", /^AT +FROM +TO +BY +MESSAGE$/)
    assert.match(first ?? "", /^2026-10-18T17:42:05\.250Z +Running +Degraded +mover host-1:4711 +away/)
    assert.match(second ?? "", /^2026-10-18T17:42:05\.250Z +- +Provisioning +caller deploy *$/)
    assert.deepStrictEqual(more, [])
    for (const control of ["\u001b", "\u0007", "\u202e"]) assert.notInclude(stdout, control)
  })

  it("asks for a page, and says how to go on", async () => {
    api.respondWith(enveloped([event]))
    const { stderr } = await run("events", pipeId, "--limit", "1", "--before", "18")
    assert.deepStrictEqual(sent(), ["GET events?before=18&limit=1"])
    assert.include(stderr, "For older ones: --before 17")
    const refused = await run("events", pipeId, "--limit", "201")
    assert.strictEqual(refused.exitCode, 2)
    assert.include(refused.stderr, "Expected a whole number from 1 to 200")
    assert.lengthOf(api.received, 1)
  })

  it("prints JSON as it came; no events are a note", async () => {
    api.respondWith(enveloped([{ ...event, later: 1 }]))
    assert.deepStrictEqual(JSON.parse((await run("events", pipeId, "--json")).stdout), [{ ...event, later: 1 }])
    api.respondWith(enveloped([]))
    const { stderr, stdout } = await run("events", pipeId)
    assert.deepStrictEqual([stdout, stderr.trimEnd()], ["", "The pipe has no events of that time."])
  })
})

const row = {
  position: "1792345325249-18012345678901234567",
  at: "2026-10-18T17:42:05.249Z",
  table: "clicks",
  source: "clicks",
  partition: "0",
  from: "5",
  to: "9",
  row: 3,
  error: "n: Expected a number",
  bytes: 300,
  isCut: false,
  message: `{"n":"\u001b]0;x\u0007\n"}${"y".repeat(290)}`
}

describe("pipe errors", () => {
  it("shows each row on a line, without control characters and not all of a long message", async () => {
    api.respondWith(enveloped([row, { ...row, message: null, messageBase64: "//4=" }]))
    const { exitCode, stdout } = await run("errors", pipeId)
    assert.deepStrictEqual([exitCode, sent()], [0, ["GET errors"]])
    const [head, first, second, ...more] = stdout.trimEnd().split("\n")
    assert.match(head ?? "", /^AT +TABLE +PARTITION +RANGE +ROW +ERROR +MESSAGE$/)
    assert.match(
      first ?? "",
      /^2026-10-18T17:42:05\.249Z +clicks +0 +5 to 9 +3 +n: Expected a number +\{"n":".*yyy\.\.\.$/
    )
    assert.match(second ?? "", /base64 \/\/4=$/)
    assert.deepStrictEqual(more, [])
    for (const control of ["\u001b", "\u0007"]) assert.notInclude(stdout, control)
  })

  it("says how to go on, and what the service refuses", async () => {
    api.respondWith(enveloped([row]))
    assert.include((await run("errors", pipeId, "--limit", "1")).stderr, `For older ones: --before ${row.position}`)
    api.respondWith(errorReply(424, "FAILED_DEPENDENCY: the warehouse of the pipe does not answer"))
    const { exitCode, stderr } = await run("errors", pipeId)
    assert.notStrictEqual(exitCode, 0)
    assert.include(stderr, "the warehouse of the pipe does not answer")
  })
})
