import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { moduleOf } from "../src/examples/Example.ts"
import { docBlockExamples } from "../src/examples/docBlockExamples.ts"
import { exampleFaults } from "../src/examples/exampleFaults.ts"
import { examplesOf } from "../src/examples/examplesOf.ts"
import { fencedBlocks } from "../src/examples/fencedBlocks.ts"
import { outputFaults } from "../src/examples/outputFaults.ts"
import { saidOutputs } from "../src/examples/saidOutputs.ts"

const root = join(import.meta.dirname, "../../..")
const scratch = mkdtempSync(join(tmpdir(), "headgate-examples-"))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const pageExamples = (file: string, text: string) => examplesOf(file, fencedBlocks(text))

const page = `# A page

\`\`\`ts
import { Pipe } from "@headgate/core"
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
    const examples = pageExamples("page.md", page)
    assert.deepStrictEqual(
      examples.map(({ blocks }) => blocks.map(({ line }) => line)),
      [[4, 13], [17]]
    )
    const [first] = examples
    assert.isDefined(first)
    assert.strictEqual(moduleOf(first).split("\n")[12]?.trim(), "const ast = Pipe.ast")
  })

  it("begin with a block that continues none", () => {
    assert.throws(() => pageExamples("page.md", "```ts continues\n1\n```\n"), "page.md:1")
  })

  it("are files where their fence says so", () => {
    const text = "```ts file=src/report.ts\n1\n```\n\n```ts continues\n2\n```\n"
    assert.deepStrictEqual(pageExamples("page.md", text), [
      {
        file: "page.md",
        name: "src/report.ts",
        blocks: [
          { line: 2, text: "1" },
          { line: 6, text: "2" }
        ]
      }
    ])
  })

  it.each(["contniues", "file=report", "file=../report.ts", "file=/report.ts", "file=a.ts continues"])(
    "are refused when their fence says ts %s",
    (mark) => assert.throws(() => pageExamples("page.md", `\`\`\`ts ${mark}\n1\n\`\`\`\n`), `page.md:1: a block is`)
  )
})

it("the examples of a doc block stand at their lines, without the comment's marks", () => {
  assert.deepStrictEqual(docBlockExamples("add.ts", source), [
    { file: "add.ts", name: "line-5.ts", blocks: [{ line: 5, text: "const three: number = 1 + 2" }] }
  ])
})

describe("type-checked", () => {
  const report = "```ts file=src/report.ts\nexport const report = (id: string) => [id]\n```\n"
  const importing = (name: string, from: string) =>
    `\n\`\`\`ts file=${name}\nimport { report } from "${from}"\nexport const lines: Array<string> = report(1)\n\`\`\`\n`
  const wrong = [
    "```ts",
    `import { Pipes } from "@headgate/core"`,
    `import { nothing } from "@headgate/core/src/pipe/Pipes"`,
    `export const wrong: number = "text"`,
    "export const lost = Effect.void",
    "export const state: string = Pipes.key.state",
    "```"
  ].join("\n")

  const pages: Readonly<Record<string, string>> = {
    sound: page,
    wrong,
    unparsed: "```ts\nconst { ... } = 1\n```\n\n```ts\nconst wrong: number = true\n```\n",
    outside: '```ts\nimport { pipeStates } from "../packages/core/src/pipe/Pipe.ts"\npipeStates.length\n```\n',
    inside: report + importing("test/report.test.ts", "../src/report.ts"),
    elsewhere: importing("src/main.ts", "./report.ts")
  }
  // The compiler takes as long for all as for one.
  let found: Awaited<ReturnType<typeof exampleFaults>> = []
  beforeAll(async () => {
    found = await exampleFaults(root, mkdtempSync(join(scratch, "project-")), [
      ...Object.entries(pages).flatMap(([name, text]) => pageExamples(`docs/${name}.md`, text)),
      ...docBlockExamples("packages/core/src/add.ts", source)
    ])
  })
  const faultsOf = (name: string) =>
    found.filter(({ file }) => file === `docs/${name}.md`).map(({ line, message }) => `${line} ${message.slice(0, 6)}`)

  it("sound examples have no faults", () => {
    assert.deepStrictEqual(faultsOf("sound"), [])
    assert.notInclude(
      found.map(({ file }) => file),
      "packages/core/src/add.ts"
    )
  })

  it("a wrong type, a name without import and an entry point that is not there are found, at the document's line", () => {
    assert.deepStrictEqual(faultsOf("wrong"), ["3 TS2307", "4 TS2322", "5 TS2304", "6 TS2339"])
  })

  it("one that cannot be parsed hides no other", () => {
    assert.includeMembers(
      faultsOf("unparsed").map((fault) => fault.split(" ")[0]),
      ["2", "6"]
    )
  })

  it("a relative import resolves from the document", () => {
    assert.deepStrictEqual(faultsOf("outside"), [])
  })

  it("a relative import resolves to a file of the document, with its types", () => {
    assert.deepStrictEqual(faultsOf("inside"), ["7 TS2345"])
  })

  it("a relative import does not resolve to a file of another document", () => {
    assert.include(faultsOf("elsewhere")[0], "TS2307")
  })

  it("one document has a file once", async () => {
    const refused = await exampleFaults(
      root,
      mkdtempSync(join(scratch, "project-")),
      pageExamples("docs/page.md", report + report)
    ).catch(String)
    assert.include(refused, "docs/page.md: two blocks are the file src/report.ts")
  })
})

describe("what an example says that it prints", () => {
  it("is behind the statement or right below it", () => {
    const said = saidOutputs(
      "a.ts",
      "const a = { b: 1 } // no output\nconsole.log(a.b) // 1\n\nconsole.log(\n  a\n)\n// { b:\n// 1 }\n// and on\n"
    )
    assert.deepStrictEqual(said, [
      { line: 2, text: "1" },
      { line: 4, text: "{ b: 1 } and on" }
    ])
  })

  it("is undefined if an output has no comment", () => {
    assert.isUndefined(saidOutputs("a.ts", "console.log(1) // 1\nconsole.log(2)\n"))
    assert.isUndefined(saidOutputs("a.ts", "export const a = 1 // 1\n"))
  })

  it("is compared with the real output, whatever its line breaks", async () => {
    const block = (code: string) =>
      docBlockExamples("packages/core/src/add.ts", `/**\n * \`\`\`ts\n${code}\n * \`\`\`\n */`)
    const examples = [
      " * import { formatPath } from '@headgate/core/adapter'\n * console.log(formatPath(['a', 1])) // a[1]",
      " * console.log({ a: 'a'.repeat(80),\n *   b: 1 })\n * // { a: '" + "a".repeat(80) + "',\n * //   b: 1 }",
      " * console.log(1 + 1) // 3",
      " * console.log(1) // 1\n * throw new Error('gone')",
      " * const gone = () => { throw new Error('gone') }\n * gone()\n * console.log(1) // 1"
    ].flatMap((code, index) => block(code).map((example) => ({ ...example, name: `${index}.ts` })))
    const folder = mkdtempSync(join(root, ".examples-"))
    try {
      assert.deepStrictEqual(await exampleFaults(root, folder, examples), [])
      const { faults, run } = await outputFaults(folder, examples)
      assert.strictEqual(run, 5)
      assert.deepStrictEqual(
        faults.map(({ line, message }) => `${line}: ${message}`),
        ["3: it says that it prints 3, and prints 2", "5: it says that it prints 1, and prints Error: gone"]
      )
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
