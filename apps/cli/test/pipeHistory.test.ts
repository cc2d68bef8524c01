import { PipeHistory } from "@headgate/core"
import * as Schema from "effect/Schema"
import { assert, describe, it } from "vitest"
import { chartText } from "../src/pipe/history.ts"
import { enveloped, service } from "./Service.ts"
import { everything, headgate, organization, pipeId, serviceId } from "./headgate.ts"

const api = service()

const point = (minute: number, rows: number, lag: number | null, state = "Running") => ({
  at: `2026-01-02T03:${String(minute).padStart(2, "0")}:00.000Z`,
  rows,
  bytes: rows * 10,
  errors: rows > 0 ? 1 : 0,
  lag,
  state
})

const document = {
  from: "2026-01-02T03:00:00.000Z",
  to: "2026-01-02T03:10:00.000Z",
  stepSeconds: 60,
  points: [point(0, 1500, 0), point(1, 0, 0), point(2, 750, 40), point(6, 3000, null), point(7, 1, 10, "Degraded")]
}
const history = Schema.decodeUnknownSync(PipeHistory)(document)

describe("headgate pipe history", () => {
  it("draws the rows and the lag of each step at a terminal, with a gap where nobody moved the pipe", () => {
    assert.deepStrictEqual(chartText(history, 80).split("\n"), [
      "rows  ▅▁▃   █▂",
      "lag   ▁▁█    ▃",
      "2026-01-02 03:00 to 2026-01-02 03:10 UTC, a step of 1 min",
      "5,251 rows, 52,510 bytes, 4 rejected; largest lag 40; Degraded at 2026-01-02 03:07"
    ])
  })

  it("draws several steps in a column where the terminal is narrow", () => {
    const [rows, lag] = chartText(history, 11).split("\n")
    assert.deepStrictEqual([rows, lag], ["rows  ▅▃ █", "lag   ▁█ ▃"])
  })

  it("lets no state control the terminal", async () => {
    const hostile = { ...document, points: [point(0, 1, 0, "\u001b]0;owned\u0007\nRunning")] }
    api.respondWith(enveloped(hostile))
    const run = await headgate(["pipe", "history", pipeId], { env: everything(api.url) })
    assert.strictEqual(run.exitCode, 0)
    for (const text of [run.stdout, chartText(Schema.decodeUnknownSync(PipeHistory)(hostile), 80)]) {
      for (const control of ["\u001b", "\u0007", "\nRunning"]) assert.notInclude(text, control)
    }
  })

  it("says that nobody moved the pipe", () => {
    assert.strictEqual(
      chartText({ ...history, points: [] }, 80),
      "Nobody moved the pipe from 2026-01-02 03:00 to 2026-01-02 03:10 UTC."
    )
  })

  it("prints a line for each step into a pipe, and the answer as JSON", async () => {
    api.respondWith(enveloped(document))
    const run = await headgate(["pipe", "history", pipeId, "--from", "2026-01-02", "--step", "1m"], {
      env: everything(api.url)
    })
    assert.deepStrictEqual([run.exitCode, run.stderr], [0, ""])
    assert.deepStrictEqual(run.stdout.split("\n").slice(0, 2), [
      "AT                        ROWS  BYTES  ERRORS  LAG  STATE",
      "2026-01-02T03:00:00.000Z  1500  15000  1       0    Running"
    ])
    assert.deepStrictEqual(
      api.received.map(({ method, path }) => `${method} ${decodeURIComponent(path)}`),
      [
        `GET /v1/organizations/${organization}/services/${serviceId}/dbpipes/${pipeId}/history?from=2026-01-02T00:00:00Z&step=1m`
      ]
    )
    const json = await headgate(["pipe", "history", pipeId, "--json"], { env: everything(api.url) })
    assert.deepStrictEqual(JSON.parse(json.stdout), document)
  })

  it("takes a time ago with a minus, in a word of its own", async () => {
    api.respondWith(enveloped(document))
    const begin = Date.now()
    const run = await headgate(["pipe", "history", pipeId, "--from", "-24h", "--to", "now"], {
      env: everything(api.url)
    })
    assert.deepStrictEqual([run.exitCode, run.stderr], [0, ""])
    const { searchParams } = new URL(api.received[0]?.path ?? "", api.url)
    const [from, to] = ["from", "to"].map((name) => Date.parse(searchParams.get(name) ?? ""))
    assert.strictEqual((to ?? 0) - (from ?? 0), 24 * 3600 * 1000)
    assert.isAtLeast(to ?? 0, begin)
  })

  it("refuses a time that is none", async () => {
    const run = await headgate(["pipe", "history", pipeId, "--from", "yesterday"], { env: everything(api.url) })
    assert.strictEqual(run.exitCode, 2)
    assert.include(run.stderr, "Expected now, a time ago such as 90m, 24h or 7d")
    assert.lengthOf(api.received, 0)
  })
})
