import { parseSync } from "oxc-parser"
import { type Example, moduleOf } from "../examples/Example.ts"
import { withoutMarks } from "../examples/docBlockExamples.ts"
import { fencedBlocks } from "../examples/fencedBlocks.ts"
import type { PublicExport } from "./publicExports.ts"

/** The names that examples import, each with its package. */
const shownIn = (examples: ReadonlyArray<Example>) => {
  const names = new Set<string>()
  for (const example of examples) {
    const text = moduleOf(example)
    for (const { entries, moduleRequest } of parseSync(example.name, text).module.staticImports) {
      if (!moduleRequest.value.startsWith("@headgate/")) continue
      const [scope, name] = moduleRequest.value.split("/")
      for (const { importName } of entries) names.add(`${scope}/${name} ${importName.name}`)
    }
  }
  return names
}

/** An export and where it is declared. */
export interface Lacking {
  readonly name: string
  readonly place: string
}

const lacking = ({ declarations, from, name }: PublicExport): Lacking => ({
  name: `${from} ${name}`,
  place: declarations.map(({ file, line }) => `${file}:${line}`).join(", ")
})

const hasExample = ({ declarations }: PublicExport) =>
  declarations.some(({ doc }) => doc !== undefined && fencedBlocks(withoutMarks(doc)).length > 0)

const packageOf = (from: string) => from.split("/").slice(0, 2).join("/")

/** Exports without a doc block, and exports whose use no example shows. */
export interface Undocumented {
  readonly withoutDocBlock: ReadonlyArray<Lacking>
  readonly withoutExample: ReadonlyArray<Lacking>
}

/**
 * Every public export needs a doc block; one is enough for a value and a type of the same name. Functions, services and
 * layers need an example as well: in their own doc block or in another one that imports them. Types, schemas, errors and
 * lists need none.
 */
export const undocumented = (exports: ReadonlyArray<PublicExport>, examples: ReadonlyArray<Example>): Undocumented => {
  const shown = shownIn(examples)
  return {
    withoutDocBlock: exports
      .filter(({ declarations }) => !declarations.some(({ doc }) => doc !== undefined))
      .map(lacking),
    withoutExample: exports
      .filter(({ declarations }) => declarations.some(({ kind }) => kind === "called"))
      .filter((exported) => !hasExample(exported) && !shown.has(`${packageOf(exported.from)} ${exported.name}`))
      .map(lacking)
  }
}
