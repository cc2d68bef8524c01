// trial:store must fail on movers with a fault.
import { assert, describe, it } from "vitest"
import { postgresBinaries } from "../../../packages/sql-adapter/test/support/postgresBinaries.ts"
import { execute, file } from "./support/run.ts"

/** A small trial over movers with this fault. */
const run = (broken: string) => {
  const size = ["--rounds", "1", "--pipes", "40", "--movers", "3", "--wait", "30"]
  return execute([file("../src/store.ts"), "--mover", file(`./broken/${broken}.mjs`), ...size])
}

describe.skipIf(postgresBinaries() === undefined)("trial:store turns red", () => {
  it("on movers that ask for changes since the last one that they saw", async () => {
    const { code, output } = await run("pollsWithoutOverlap")
    assert.match(output, /RED [1-9]\d* of \d+ pipes that a slow transaction stopped move on after /)
    assert.strictEqual(code, 1)
  }, 600_000)

  it("on movers that do not look at the session of a lease", async () => {
    const { code, output } = await run("keepsEndedLeases")
    assert.match(output, /RED [1-9]\d* of 40 pipes deliver nothing after round 1$/m)
    assert.strictEqual(code, 1)
  }, 600_000)

  // A pipe must change its mover just when the old one saves: a busy machine may miss that in one run.
  it("on movers that keep what another one says late", { retry: 2, timeout: 600_000 }, async () => {
    const { code, output } = await run("replacesMetrics")
    assert.match(output, /RED the saved rows of a pipe went back [1-9]\d* times/)
    assert.strictEqual(code, 1)
  })
})
