// The CLI against what the real dashboards service answered.
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { serveRecorded } from "../../../packages/client/test/support/RecordedService.ts"
import { recordedCases } from "../../../packages/client/test/support/recordedDashboards.ts"
import { secrets, headgate } from "./headgate.ts"

let service: Awaited<ReturnType<typeof serveRecorded>>
beforeAll(async () => {
  service = await serveRecorded()
})
afterAll(() => void service.server.close())

const exitCodes: Readonly<Record<string, number>> = { Unauthorized: 4, Forbidden: 4 }

describe("the CLI against the dashboards service", () => {
  for (const [name, { answer, call, era, fails, name: dashboardName = "", reads }] of Object.entries(recordedCases)) {
    it.concurrent(`${name} (${era})`, async () => {
      const args = call === "list" ? ["list"] : ["create", "--name", dashboardName]
      const env = { HEADGATE_URL: service.url(name), HEADGATE_TOKEN: secrets.token }
      const run = await headgate(["dashboard", ...args, "--json", "--max-retries", "0"], { env })
      if (reads !== undefined) {
        assert.strictEqual(run.exitCode, 0, run.stderr)
        // Every element as the service sent it, the unreadable ones, too.
        assert.deepStrictEqual(JSON.parse(run.stdout), JSON.parse(answer.body).data)
        if (reads.leftOut === undefined) assert.strictEqual(run.stderr, "")
        else assert.match(run.stderr, new RegExp(`^warning: .*: left out ${reads.leftOut} of .*\n$`))
      } else {
        const { error } = JSON.parse(run.stderr)
        assert.deepStrictEqual([error.tag, error.status], [fails?.tag, answer.status])
        assert.include(error.message, fails?.words)
        assert.deepStrictEqual(
          error.issues?.map(({ path }: { readonly path: string }) => path),
          fails?.paths
        )
        assert.deepStrictEqual([run.exitCode, run.stdout], [exitCodes[error.tag] ?? 1, ""])
      }
    })
  }
})
