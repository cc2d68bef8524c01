// `npm run check`, Documentation: every example type-checks and prints what its comments say, and every public export is
// documented.
import { join } from "node:path"
import { exampleFaults } from "./examples/exampleFaults.ts"
import { outputFaults } from "./examples/outputFaults.ts"
import { workspaceExamples } from "./examples/workspaceExamples.ts"
import { undocumented } from "./exports/documentationFaults.ts"
import { publicExports } from "./exports/publicExports.ts"

const root = join(import.meta.dirname, "../../..")
const say = (text: string) => process.stdout.write(`${text}\n`)

const examples = workspaceExamples(root)
const exports = publicExports(root)
const { withoutDocBlock, withoutExample } = undocumented(exports, examples)
// Outside node_modules, where Node does not run TypeScript.
const folder = join(root, ".examples")
const wrong = await exampleFaults(root, folder, examples)
const outputs = await outputFaults(folder, examples)

const faults = [
  ...[...wrong, ...outputs.faults].map(({ file, line, message }) => `wrong example: ${file}:${line} ${message}`),
  ...withoutDocBlock.map(({ name, place }) => `no doc block: ${name} (${place})`),
  ...withoutExample.map(({ name, place }) => `no example: ${name} (${place})`)
]
for (const fault of faults) say(`RED ${fault}`)
say(
  `${faults.length === 0 ? "ok  " : ""}${examples.length} examples, ${outputs.run} of them run, ${exports.length} public exports, ` +
    `${faults.length} faults`
)
process.exitCode = faults.length === 0 ? 0 : 1
