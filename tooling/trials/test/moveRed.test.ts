// A file of its own: these trials mostly wait, and run beside those of red.test.ts.
import { kafkaMissing } from "@headgate/harness/KafkaBroker"
import { postgresMissing } from "@headgate/harness/PostgresServer"
import { assert, describe, it } from "vitest"
import { engineMissing } from "../../../packages/mover-clickhouse/test/support/engine.ts"
import { run } from "./support/run.ts"

describe.skipIf(kafkaMissing() !== undefined || engineMissing() !== undefined)("trial:move turns red", () => {
  it("on a server whose warehouse ignores tokens", async () => {
    const { code, output } = await run("move", "forgetsTokens", "--rounds", "1")
    assert.match(output, /RED round 1, the pipe is .*\d+ rows doubled/)
    assert.strictEqual(code, 1)
  }, 600_000)

  it("on a server that gives up a batch behind 20 rejected rows", async () => {
    const { code, output } = await run("move", "readsFewRejectedRows", "--rounds", "1")
    assert.match(
      output,
      /RED round 1, the pipe is .*\d+ of \d+ good rows lost; \d+ rows in the error table that are not rejected/
    )
    assert.strictEqual(code, 1)
  }, 600_000)

  it("on a server that inserts rejected rows under another token after a kill", async () => {
    const { code, output } = await run("move", "changesErrorTokens", "--rounds", "1")
    assert.match(output, /RED round 1, the pipe is \w+: \d+ rows doubled in the error table$/m)
    assert.strictEqual(code, 1)
  }, 600_000)
})

describe.skipIf(engineMissing() !== undefined)("trial:move turns red", () => {
  const ofObjects = (broken: string, ...args: ReadonlyArray<string>) =>
    run("move", broken, "--source", "object-storage", "--rounds", "1", "--kills", "0", ...args)

  it("on a server that reads no object whose key sorts before one that was read", async () => {
    const { code, output } = await ofObjects("readsKeysInOrder", "--restore", "none", "--wait", "15")
    assert.match(output, /RED round 1, the pipe is Running: \d+ of \d+ objects lost$/m)
    // Some were read.
    assert.notMatch(output, /(\d+) of \1 objects lost/)
    assert.strictEqual(code, 1)
  }, 600_000)

  it("on a server that records the objects that were read in its own database alone", async () => {
    const { code, output } = await ofObjects("logsNoObjects", "--restore", "ledger", "--wait", "15")
    assert.match(output, /RED round 1, the pipe is \w+: .*\d+ rows doubled/)
    assert.strictEqual(code, 1)
  }, 600_000)

  it("on a server that takes a range back if one object of it changes", async () => {
    const { code, output } = await ofObjects("takesGroupsBack", "--restore", "none", "--wait", "8")
    assert.match(output, /RED round 1, the pipe is Running: 300 rows were held up by an object that changes/)
    assert.strictEqual(code, 1)
  }, 600_000)
})

describe.skipIf(postgresMissing() !== undefined || engineMissing() !== undefined)("trial:move turns red", () => {
  it("on a server that compares the columns of a table by their names", async () => {
    const { code, output } = await run(
      "move",
      "comparesNames",
      "--source",
      "postgres",
      "--rounds",
      "1",
      "--restore",
      "none"
    )
    assert.match(output, /RED round 1, the pipe is Running/)
    assert.include(output, "a column was dropped and added in dropped_1, and rows went on")
    assert.include(output, "a column got the name of another one in renamed_1, and rows went on")
    for (const target of ["dropped", "renamed"]) {
      assert.match(output, new RegExp(`\\d{3,} of \\d+ rows of ${target} differ`))
    }
    assert.notInclude(output, "rows of kept differ")
    assert.strictEqual(code, 1)
  }, 600_000)
})
