// `npm run check`, Documentation: every example type-checks as it stands, and every public export is documented.
// `--prune` takes out of the baseline what is mended.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { exampleFaults } from "./examples/exampleFaults.ts"
import { workspaceExamples } from "./examples/workspaceExamples.ts"
import { compareWithBaseline, prune } from "./exports/baseline.ts"
import { undocumented } from "./exports/documentationFaults.ts"
import { publicExports } from "./exports/publicExports.ts"

const { values } = parseArgs({ options: { prune: { type: "boolean", default: false } } })

const root = join(import.meta.dirname, "../../..")
const baselineFile = join(import.meta.dirname, "../baseline.txt")
const baseline = readFileSync(baselineFile, "utf8")

const say = (text: string) => process.stdout.write(`${text}\n`)

const examples = workspaceExamples(root)
const exports = publicExports(root)
const { withoutDocBlock, withoutExample } = undocumented(exports, examples)
const wrong = await exampleFaults(root, join(root, "node_modules/.cache/headgate-examples"), examples)

const { fresh, known, mended } = compareWithBaseline(baseline, [
  ...wrong.map(({ file, line, message }) => ({ gap: `wrong example: ${file}`, detail: `:${line} ${message}` })),
  ...withoutDocBlock.map(({ name, place }) => ({ gap: `no doc block: ${name}`, detail: ` (${place})` })),
  ...withoutExample.map(({ name, place }) => ({ gap: `no example: ${name}`, detail: ` (${place})` }))
])
if (values.prune) writeFileSync(baselineFile, prune(baseline, mended))
else
  for (const gap of mended)
    fresh.push(`${gap}: mended, so take it out with tooling/documentation/src/checkDocumentation.ts --prune`)

for (const fault of fresh) say(`RED ${fault}`)
say(
  `${fresh.length === 0 ? "ok  " : ""}${examples.length} examples, ${exports.length} public exports, ` +
    `${known} known gaps, ${fresh.length} faults`
)
process.exitCode = fresh.length === 0 ? 0 : 1
