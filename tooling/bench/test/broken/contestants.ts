// Contestants that do not do the work.
import { baseUrl, clientWork } from "../../src/client/contestants.ts"
import { authorization, pathOf } from "../../src/client/served.ts"
import type { Contestants } from "../../src/work/ContestantProcess.ts"

export const contestants: Contestants = {
  "returns another document": async () =>
    clientWork({ checks: false, retriesAndRedacts: false, read: async () => ({ name: "another" }) }),
  "neither retries nor redacts": async () =>
    clientWork({
      checks: true,
      retriesAndRedacts: true,
      read: async (pipeId) => {
        const response = await fetch(baseUrl() + pathOf(pipeId), { headers: { authorization } })
        if (!response.ok) throw new Error(`HTTP ${response.status}`)
        return JSON.parse(await response.text()).result
      }
    }),
  exits: () => process.exit(3)
}
