// The client against what the real dashboards service answered.
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { createClient, type Dashboard, isHeadgateError } from "../src/index.ts"
import { serveRecorded } from "./support/RecordedService.ts"
import { recordedCases } from "./support/recordedDashboards.ts"
import { observability } from "./support/samples.ts"

let service: Awaited<ReturnType<typeof serveRecorded>>
beforeAll(async () => {
  service = await serveRecorded()
})
afterAll(() => void service.server.close())

describe("the client against the dashboards service", () => {
  for (const [name, { answer, call, era, fails, name: dashboardName = "", reads }] of Object.entries(recordedCases)) {
    it(`${name} (${era})`, async () => {
      const warn = vi.spyOn(console, "warn").mockImplementation(() => {})
      await using headgate = createClient({ observability: observability(service.url(name)), maxRetries: 0 })
      const { dashboards } = headgate
      try {
        const read: ReadonlyArray<Dashboard> =
          call === "list" ? await dashboards.list() : [await dashboards.create({ name: dashboardName })]
        assert.deepStrictEqual(
          read.map(({ id }) => id),
          reads?.ids
        )
        assert.lengthOf(warn.mock.calls, reads?.leftOut === undefined ? 0 : 1)
        if (reads?.leftOut !== undefined) assert.include(String(warn.mock.calls), `left out ${reads.leftOut} of `)
      } catch (error) {
        if (!isHeadgateError(error)) throw error
        assert.strictEqual(error._tag, fails?.tag)
        assert.include(error.message, fails?.words ?? "no error")
        assert.strictEqual(error.status, answer.status)
        const paths = error._tag === "InvalidRequest" ? error.issues.map(({ path }) => path) : undefined
        assert.deepStrictEqual(paths, fails?.paths)
      } finally {
        warn.mockRestore()
      }
    })
  }
})
