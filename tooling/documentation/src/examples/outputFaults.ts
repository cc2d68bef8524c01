import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { type Example, moduleOf } from "./Example.ts"
import { type ExampleFault, pathOf } from "./exampleFaults.ts"
import { saidOutputs } from "./saidOutputs.ts"

interface Outcome {
  readonly printed: ReadonlyArray<string>
  readonly failed?: string
}

const runner = join(import.meta.dirname, "runExamples.mjs")

// Line breaks do not count: a comment and an object may break anywhere.
const withoutBreaks = (text: string) => text.replaceAll(/\s+/g, " ").trim()

/** Runs the examples whose comments say what they print, in the project that type-checked them. Returns the differences. */
export const outputFaults = async (
  folder: string,
  examples: ReadonlyArray<Example>
): Promise<{ readonly run: number; readonly faults: ReadonlyArray<ExampleFault> }> => {
  const saying = examples.flatMap((example) => {
    // A page may use servers that do not run.
    if (!example.file.endsWith(".ts")) return []
    const said = saidOutputs(example.name, moduleOf(example))
    return said === undefined ? [] : [{ example, said }]
  })
  const paths = saying.map(({ example }) => join(folder, pathOf(example)))
  const { stdout } = await promisify(execFile)(process.execPath, [runner, ...paths], {
    cwd: folder,
    maxBuffer: 2 ** 24
  })
  const outcomes: ReadonlyArray<Outcome> = JSON.parse(stdout)
  const faults = saying.flatMap(({ example: { file }, said }, index) => {
    const { failed, printed } = outcomes[index] ?? { printed: [] }
    return said.flatMap(({ line, text }, nth): ReadonlyArray<ExampleFault> => {
      const got = printed[nth]
      if (got !== undefined && withoutBreaks(got) === withoutBreaks(text)) return []
      const instead = got === undefined ? (failed ?? "nothing") : withoutBreaks(got)
      return [{ file, line, message: `it says that it prints ${text}, and prints ${instead}` }]
    })
  })
  return { run: saying.length, faults }
}
