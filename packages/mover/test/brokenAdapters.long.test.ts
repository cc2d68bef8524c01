import { assert, beforeAll, describe, it } from "vitest"
import { startVitest } from "vitest/node"

/** Runs the laws over each broken adapter, and returns the laws that fail by the name of the suite. */
const runBroken = async (): Promise<ReadonlyMap<string, ReadonlyArray<string>>> => {
  const run = await startVitest("test", [], {
    config: false,
    root: import.meta.dirname,
    include: ["broken/*.laws.ts"],
    watch: false,
    // No law fails because the machine is slow.
    testTimeout: 60_000,
    // Those failures are expected, and must not look like failures of this run.
    reporters: [{}],
    onConsoleLog: () => false
  })
  const suites = run.state.getTestModules().flatMap((module) => Array.from(module.children.suites()))
  await run.close()
  return new Map(suites.map((suite) => [suite.name, Array.from(suite.children.allTests("failed"), ({ name }) => name)]))
}

describe("the laws find", () => {
  let broken: ReadonlyMap<string, ReadonlyArray<string>>

  beforeAll(async () => {
    broken = await runBroken()
  })

  it.each<[string, string]>([
    [
      "records rejected rows when the others are there: laws of Warehouse",
      "rows that it cannot take are recorded before any other is there"
    ],
    ["finds other rows in a replay: laws of Warehouse", "rows that were recorded as rejected are left out although"],
    ["ignores tokens: laws of Warehouse", "a range that is inserted again under its token is in the table once"],
    [
      "counts the inserts of each pipe by themselves: laws of Warehouse",
      "the table counts its inserts, of all pipes, so that"
    ],
    ["logs whatever comes last: laws of Warehouse", "the log holds the last position of each partition of the last"],
    ["takes a late repeat for the last position: laws of Warehouse", "the log holds the last position of each"],
    ["cuts an insert into blocks: laws of Warehouse", "an insert that breaks off in the middle leaves nothing, and"],
    ["remembers 20 inserts and does not say so: laws of Warehouse", "a token is remembered for as many inserts as a"],
    ["does not look at the epoch: laws of Ledger", "an earlier owner can write nothing"],
    ["forgets what is pending: laws of Ledger", "a recorded range is pending, whole, until it is done"],
    [
      "refuses a range beside one that is refused: laws of Ledger",
      "of ranges that are written at the same time, one that is refused refuses no other"
    ],
    ["knows an owner by its epoch alone: laws of Ledger", "a mover finds that the ledger was restored, and nobody"],
    [
      "deletes what a later owner has staged: laws of staging",
      "an owner that was frozen deletes nothing of a later one"
    ],
    ["keeps nothing that was staged: laws of staging", "an owner deletes what earlier ones have staged, and goes on"],
    ["moves what it has lost without a word: laws of staging", "a part of a staging that was deleted cannot be moved"],
    ["moves again what may have arrived: laws of staging", "a move that was interrupted without a trace is not made"],
    [
      "takes each move that has begun for an interrupted one: laws of staging",
      "a move that may have been interrupted is made, if nothing of it has arrived"
    ],
    ["forgets what is moving: laws of Ledger", "a staged range is pending with its staging, and with the parts"],
    [
      "loses the rejected rows of an object: laws of staging",
      "the rows of an object that it rejects are staged without"
    ],
    [
      "copies rejected rows under another token each time: laws of staging",
      "the rows of an object that it rejects are staged without"
    ],
    [
      "does not see that an object changed: laws of Source for objects",
      "an object that has changed after it was planned, or is gone"
    ],
    ["forgets what is staged: laws of Ledger", "a staged range is pending with its staging, and with the parts"],
    ["skips what it lost: laws of Source", "a position that the source no longer holds is PositionLost"],
    [
      "says that its first position is after the start: laws of Source",
      "the first position of a partition is not after"
    ],
    ["reads on past a range: laws of Source", "a range is read the same again, while rows arrive and after other"],
    ["keeps its name when it is another one: laws of Source", "another source of the same name has another identity"],
    [
      "keeps the version that came last: laws of VersionedTables",
      "the last version of a row counts, whatever the order"
    ],
    ["deletes no row: laws of VersionedTables", "a row that is deleted is gone, until a higher version brings it back"],
    ["truncates nothing: laws of VersionedTables", "a truncate removes the rows of lower versions, also of those"],
    ["truncates what follows: laws of VersionedTables", "a truncate removes the rows of lower versions, also of"],
    ["reads NULL as a text: laws of VersionedTables", "NULL and escaped characters are what they were"],
    [
      "takes each target for an empty one: laws of VersionedTables",
      "`open` returns the highest version that the target"
    ],
    ["creates what is gone: laws of VersionedTables", "a target that is gone is created again for no table but a new"],
    ["lets two tables have one target: laws of VersionedTables", "two tables with one target are refused"],
    ["loses the reasons: laws of VersionedTables", "a row that does not fit is in the error table as it was sent"],
    ["inserts what does not fit: laws of VersionedTables", "a row that does not fit is in the error table as it was"],
    ["is set back by a late repeat: laws of VersionedTables", "the log holds the last position of each partition"],
    ["leaves a part out: laws of ChangeSource", "the parts of a table are all rows, each once, also in a snapshot"],
    ["reads a part twice: laws of ChangeSource", "the parts of a table are all rows, each once, also in a snapshot"],
    ["shows what was written after a snapshot: laws of ChangeSource", "a snapshot shows one moment, however late"],
    ["misses a transaction: laws of ChangeSource", "changes are read again from a position, whatever was read since"],
    ["sends deleted rows as rows: laws of ChangeSource", "a snapshot and the changes since `begin`, which came before"],
    ["gives changes the version of the snapshot: laws of ChangeSource", "the versions of a row grow, above that of"],
    ["ends transactions in their middle: laws of ChangeSource", "a commit ends whole transactions, and nothing that"],
    ["goes on where it was read last: laws of ChangeSource", "changes are read again from a position, whatever was"],
    ["writes NULL as a text: laws of ChangeSource", "texts and NULL are fields of TSV, in a snapshot and in changes"],
    ["sends columns that the target lacks: laws of ChangeSource", "columns that the target lacks are left out"],
    ["leaves rows that do not fit out without a word: laws of ChangeSource", "a row that does not fit is kept apart"],
    ["keeps a row that does not fit any more: laws of ChangeSource", "a row that does not fit is kept apart"],
    ["goes on after what it has lost: laws of ChangeSource", "a position whose changes were forgotten is refused"],
    ["goes on after what it has lost: laws of ChangeSource", "a table that was copied and is another one now"],
    ["is called like every other: laws of ChangeSource", "a database has one identity, and another database"]
  ])("an adapter that %s", (suite, law) => {
    assert.isTrue(
      broken.get(suite)?.some((title) => title.startsWith(law)),
      `broken: ${broken.get(suite)?.join("; ")}`
    )
  })

  it("and no law is broken by all of them", () => {
    assert.strictEqual(broken.size, 51)
    for (const [name, laws] of broken) assert.isBelow(laws.length, 10, `${name}: ${laws.join("; ")}`)
  })
})
