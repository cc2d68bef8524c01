import { assert, beforeAll, describe, it } from "vitest"
import { startVitest, type TestSuite } from "vitest/node"

interface BrokenLaw {
  readonly title: string
  readonly report: string
}

/** Runs the laws over each broken cache, and returns the laws that fail by the name of the suite. */
const runBroken = async (): Promise<ReadonlyMap<string, ReadonlyArray<BrokenLaw>>> => {
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
  const brokenLaws = (suite: TestSuite) =>
    Array.from(suite.children.allTests("failed"), (law) => ({
      title: law.name,
      report:
        law
          .result()
          .errors?.map(({ message }) => message)
          .join() ?? ""
    }))
  return new Map(suites.map((suite) => [suite.name, brokenLaws(suite)]))
}

describe("the laws find a cache that", () => {
  let broken: ReadonlyMap<string, ReadonlyArray<BrokenLaw>>

  beforeAll(async () => {
    broken = await runBroken()
  })

  it.each<[string, ReadonlyArray<string>]>([
    [
      "never invalidates",
      [
        "a deleted pipe is not found, and the others are unchanged",
        "a pipe that is read while it is deleted is not found afterwards"
      ]
    ],
    [
      "uses the id alone as its key",
      [
        "get and delete fail with PipeNotFound and the address for an unknown service, and change nothing",
        "get and delete fail with PipeNotFound and the address for another service of the organization, and change nothing",
        "get and delete fail with PipeNotFound and the address for another organization's service, and change nothing",
        "a pipe that is read while it is deleted is not found afterwards"
      ]
    ],
    ["stores an old read after a delete", ["a pipe that is read while it is deleted is not found afterwards"]],
    ["shares interruption", ["interrupting a read does not interrupt another one"]]
  ])("%s", (name, laws) => {
    assert.deepStrictEqual(
      broken.get(`${name}: laws of Pipes`)?.map(({ title }) => title),
      laws
    )
  })

  it("a report is one line and does not show the pipe", () => {
    assert.deepStrictEqual(
      broken.get("never invalidates: laws of Pipes")?.map(({ report }) => report),
      Array.from({ length: 2 }, () => "expected the call to fail with PipeNotFound, but it succeeded")
    )
  })
})
