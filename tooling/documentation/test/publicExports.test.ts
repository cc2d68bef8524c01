import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { docBlockExamples } from "../src/examples/docBlockExamples.ts"
import { undocumented } from "../src/exports/documentationFaults.ts"
import { publicExports } from "../src/exports/publicExports.ts"

const root = mkdtempSync(join(tmpdir(), "headgate-exports-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const write = (file: string, text: string) => {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

const example = (code: string) => ` * @example\n * \`\`\`ts\n * ${code}\n * \`\`\`\n`

write(
  "packages/core/package.json",
  JSON.stringify({
    name: "@headgate/core",
    exports: {
      ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
      "./pipe": { types: "./dist/pipe/index.d.ts", default: "./dist/pipe/index.js" },
      "./internal/*": null
    }
  })
)
write("packages/hidden/package.json", JSON.stringify({ name: "@headgate/hidden", private: true, exports: {} }))
write(
  "packages/core/src/index.ts",
  `export { get, Pipes, type Shape, Pipe } from "./pipe/index.ts"\nexport * from "./everywhere.ts"\n`
)
write("packages/core/src/everywhere.ts", `export { type Address } from "./Address.ts"\n`)
write("packages/core/src/Address.ts", `/** A type that is exported with its file. */\nexport interface Address {}\n`)
write(
  "packages/core/src/pipe/index.ts",
  `export { bare, get, Pipe, Pipes, type Shape, undocumented } from "./Pipes.ts"\n`
)
const pipes = `/** A schema: its use is the same as any other's. */
export const Pipe = Schema.Struct({})

/** A service that an example below shows. */
export class Pipes extends Context.Service<Pipes>()("id") {}

/** A type. */
export interface Shape {}

/** Gets.
${example('import { Pipes } from "@headgate/core/pipe"')} */
export const get = Effect.fn("get")(function* () {})

/** A function that no example shows. */
const bare = () => 1
export { bare }

// Not a doc block.
export const undocumented = Schema.Number
`
write("packages/core/src/pipe/Pipes.ts", pipes)

describe("the public exports", () => {
  const exports = publicExports(root)

  it("are found once, under the most specific entry point, with their kinds", () => {
    assert.sameMembers(
      exports.map(({ declarations, from, name }) => `${from} ${name} ${declarations.map(({ kind }) => kind).join()}`),
      [
        "@headgate/core Address type",
        "@headgate/core/pipe bare called",
        "@headgate/core/pipe get called",
        "@headgate/core/pipe Pipe data",
        "@headgate/core/pipe Pipes called",
        "@headgate/core/pipe Shape type",
        "@headgate/core/pipe undocumented data"
      ]
    )
  })

  it("want a doc block, and an example somewhere if they are called or provided", () => {
    const found = undocumented(exports, docBlockExamples("packages/core/src/pipe/Pipes.ts", pipes))
    assert.deepStrictEqual(found, {
      withoutDocBlock: [{ name: "@headgate/core/pipe undocumented", place: "packages/core/src/pipe/Pipes.ts:23" }],
      withoutExample: [{ name: "@headgate/core/pipe bare", place: "packages/core/src/pipe/Pipes.ts:19" }]
    })
  })
})
