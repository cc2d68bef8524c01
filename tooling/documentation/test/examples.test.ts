import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { docBlockExamples } from "../src/examples/docBlockExamples.ts"
import { moduleOf } from "../src/examples/Example.ts"
import { exampleFaults } from "../src/examples/exampleFaults.ts"
import { markdownExamples } from "../src/examples/markdownExamples.ts"

const root = join(import.meta.dirname, "../../..")
const scratch = mkdtempSync(join(tmpdir(), "headgate-examples-"))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const page = `# A page

\`\`\`ts
import { Pipe } from "@headgate/core/pipe"
\`\`\`

\`\`\`sh
npm test
\`\`\`

- in a list:
  \`\`\`ts continues
  const ast = Pipe.ast
  \`\`\`

\`\`\`ts
const alone: number = 1
\`\`\`
`

const source = `/** Adds.
 *
 * @example
 * \`\`\`ts
 * const three: number = 1 + 2
 * \`\`\`
 */
export const add = 1
`

describe("the examples of a page", () => {
  it("are its ts blocks, each with those that continue it, at their lines", () => {
    const examples = markdownExamples("page.md", page)
    assert.deepStrictEqual(
      examples.map(({ blocks }) => blocks.map(({ line }) => line)),
      [[4, 13], [17]]
    )
    const [first] = examples
    assert.isDefined(first)
    assert.strictEqual(moduleOf(first).split("\n")[12]?.trim(), "const ast = Pipe.ast")
  })

  it("begin with a block that continues none", () => {
    assert.throws(() => markdownExamples("page.md", "```ts continues\n1\n```\n"), "page.md:2")
  })
})

it("the examples of a doc block stand at their lines, without the comment's marks", () => {
  assert.deepStrictEqual(docBlockExamples("add.ts", source), [
    { file: "add.ts", blocks: [{ line: 5, text: "const three: number = 1 + 2" }] }
  ])
})

describe("type-checked", () => {
  const faultsOf = (text: string) =>
    exampleFaults(root, mkdtempSync(join(scratch, "project-")), [
      ...markdownExamples("docs/page.md", text),
      ...docBlockExamples("packages/core/src/add.ts", source)
    ])

  it("sound examples have no faults", async () => {
    assert.deepStrictEqual(await faultsOf(page), [])
  })

  it("a wrong type, a name without import and an entry point that is not there are found, at the document's line", async () => {
    const text = [
      "```ts",
      `import { Pipes } from "@headgate/core/pipe"`,
      `import { nothing } from "@headgate/core/src/pipe"`,
      `export const wrong: number = "text"`,
      "export const lost = Effect.void",
      "export const state: string = Pipes.key.state",
      "```"
    ].join("\n")
    const found = (await faultsOf(text)).map(({ file, line, message }) => `${file}:${line} ${message.slice(0, 6)}`)
    assert.deepStrictEqual(found, [
      "docs/page.md:3 TS2307",
      "docs/page.md:4 TS2322",
      "docs/page.md:5 TS2304",
      "docs/page.md:6 TS2339"
    ])
  })

  it("one that cannot be parsed hides no other", async () => {
    const found = await faultsOf("```ts\nconst { ... } = 1\n```\n\n```ts\nconst wrong: number = true\n```\n")
    assert.includeMembers(
      found.map(({ line }) => line),
      [2, 6]
    )
  })

  it("a relative import leads where it leads from the document", async () => {
    const text = '```ts\nimport { pipeStates } from "../packages/core/src/pipe/PipeState.ts"\npipeStates.length\n```\n'
    assert.deepStrictEqual(await faultsOf(text), [])
  })
})
