// trial:charts must fail on a server with a fault.
import { postgresMissing } from "@headgate/harness/PostgresServer"
import { assert, describe, it } from "vitest"
import { engineMissing } from "../../../packages/mover-clickhouse/test/support/engine.ts"
import { run } from "./support/run.ts"

describe.skipIf(engineMissing() !== undefined)("trial:charts turns red", () => {
  it("on a server that pastes the texts of callers into statements", async () => {
    const { code, output } = await run("charts", "pastesTexts", "--only", "hostile")
    assert.match(output, /RED .*a statement (?:calls|reads|is no single statement)/)
    assert.strictEqual(code, 1)
  }, 600_000)

  it("on a server that takes tables by their names", async () => {
    const { code, output } = await run("charts", "takesNames", "--only", "tables")
    assert.match(output, /RED moved\.theirs for the organization of own: 200,200,200$/m)
    assert.strictEqual(code, 1)
  }, 600_000)

  // On a busy machine the query may not run yet when its caller hangs up.
  it("on a server that ends no query", { retry: 2, timeout: 600_000 }, async () => {
    const { code, output } = await run("charts", "cancelsNothing", "--only", "cancel")
    assert.match(output, /RED HTTP, round 1: the query goes on after its caller has hung up$/m)
    assert.match(output, /RED embedded, round 1: the query goes on after its caller has hung up$/m)
    assert.strictEqual(code, 1)
  })

  it.skipIf(postgresMissing() !== undefined)(
    "on a server that reads all versions of a row",
    async () => {
      const { code, output } = await run("charts", "readsAllVersions", "--only", "versions")
      assert.match(output, /RED round 1: charts say \d+,/)
      assert.match(output, /RED round 1: a search finds \d+ rows in place of \d+/)
      assert.strictEqual(code, 1)
    },
    600_000
  )
})
