import { assert, beforeAll, describe, it } from "vitest"
import { startVitest, type TestSuite } from "vitest/node"

interface BrokenLaw {
  readonly title: string
  readonly report: string
}

/** The laws that each broken cache breaks, in a run of their own, by the name of its suite. */
const runBroken = async (): Promise<ReadonlyMap<string, ReadonlyArray<BrokenLaw>>> => {
  const run = await startVitest("test", [], {
    config: false,
    root: import.meta.dirname,
    include: ["broken/*.laws.ts"],
    watch: false,
    // What fails there is what is wanted here, and must not look like a failure of this run.
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

describe("the laws tell what is wrong with a cache that", () => {
  let broken: ReadonlyMap<string, ReadonlyArray<BrokenLaw>>

  beforeAll(async () => {
    broken = await runBroken()
  })

  it.each<[string, ReadonlyArray<string>]>([
    [
      "forgets to forget",
      [
        "a deleted pipe is gone, and the others are as they were",
        "a pipe that is read while it is deleted is gone all the same"
      ]
    ],
    [
      "looks at the id alone",
      [
        "get and delete fail with PipeNotFound and the address for an unknown service, and change nothing",
        "get and delete fail with PipeNotFound and the address for another service of the organization, and change nothing",
        "get and delete fail with PipeNotFound and the address for another organization's service, and change nothing",
        "a pipe that is read while it is deleted is gone all the same"
      ]
    ],
    ["puts back", ["a pipe that is read while it is deleted is gone all the same"]],
    ["shares interruption", ["a read that is interrupted takes no other with it"]]
  ])("%s", (name, laws) => {
    assert.deepStrictEqual(
      broken.get(`${name}: laws of Pipes`)?.map(({ title }) => title),
      laws
    )
  })

  it("forgets to forget, in a line and without the pipe", () => {
    assert.deepStrictEqual(
      broken.get("forgets to forget: laws of Pipes")?.map(({ report }) => report),
      Array.from({ length: 2 }, () => "expected the call to fail with PipeNotFound, but it succeeded")
    )
  })
})
