import { describe } from "@effect/vitest"
import { env } from "node:process"
import { engineMissing } from "./engine.ts"

export { directory, embedded, overHttp, startServer } from "./engine.ts"

/**
 * A suite over the engine. It is installed by `npm install --prefix FOLDER chdb@3.4.0`, and named by HEADGATE_CHDB=FOLDER.
 * Without it the suite is skipped with a message on stderr; with HEADGATE_REQUIRE_CHDB=1 it fails.
 */
export const describeChdb = (name: string, body: () => void): void => {
  const reason = engineMissing()
  const missing = `${name}: NOT TESTED, for ${reason}`
  if (reason !== undefined && env["HEADGATE_REQUIRE_CHDB"] === "1") throw new Error(missing)
  if (reason !== undefined) console.error(`\n${missing}\n`)
  describe.skipIf(reason !== undefined)(`${name}`, () => {
    body()
  })
}
