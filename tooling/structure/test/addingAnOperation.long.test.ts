// docs/adding-an-operation.md says what is reported until a step is done. Each step that was done for an example is undone in a copy.
import { mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { stepsBelow } from "../src/pageTable.ts"
import { places } from "../src/places.ts"
import { WorkspaceCopy } from "../src/WorkspaceCopy.ts"

const root = join(import.meta.dirname, "../../..")
const page = readFileSync(join(root, "docs/adding-an-operation.md"), "utf8")
// On one thread: it takes a third less CPU time in all.
const compile = (projects: ReadonlyArray<string> = []) => [
  "tsc",
  "-b",
  "--singleThreaded",
  "--pretty",
  "false",
  ...projects
]

describe("docs/adding-an-operation.md", () => {
  let copy: WorkspaceCopy
  beforeAll(async () => {
    copy = new WorkspaceCopy(root, join(mkdtempSync(join(tmpdir(), "headgate-places-")), "copy"))
    assert.strictEqual(await copy.run(compile()), "")
  }, 600_000)
  afterAll(() => copy.remove())

  for (const [heading, known] of Object.entries(places)) {
    const steps = stepsBelow(page, heading)

    it(`every step of "${heading}" has a place`, () => {
      assert.deepStrictEqual(
        steps.map(({ number }) => String(number)),
        Object.keys(known)
      )
    })

    it.each(steps.filter(({ number }) => known[number] !== undefined))(
      `without step $number of "${heading}" the compiler and the tests report what the page says`,
      async ({ number, reported }) => {
        const place = known[number]
        if (place === undefined) return
        try {
          copy.cut(place.file, place.cut, place.before)
          if (place.link !== undefined) copy.unlink(place.link)
          const compiled = await copy.run(compile(place.compiled))
          const printed = place.program === undefined ? "" : await copy.run(place.program)
          for (const text of reported) assert.include(compiled + printed, text)
          if (reported.length === 0) assert.strictEqual(compiled, "")
        } finally {
          copy.restore()
        }
      },
      600_000
    )
  }
})

describe("a numbered table", () => {
  it("is read with what each step has reported", () => {
    const table =
      '| | Add | Reported |\n|---|---|---|\n| 1 | a | "no a" in `a.ts` |\n| 12 | `b` | nothing |\n| | c | no |\n'
    assert.deepStrictEqual(stepsBelow(`# X\n\n## A\n\n${table}\n## B\n\n| 3 | d | "e" |\n`, "A"), [
      { number: 1, reported: ["no a", "a.ts"] },
      { number: 12, reported: [] }
    ])
  })
})
