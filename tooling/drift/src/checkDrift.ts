// `npm run check`, Drift: whether our tables differ from the published documents of the real service in what is not listed
// as a known difference. With `--write` (`npm run drift:write`) it writes the files that are made of the lists.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { differenceFaults, unservedFaults } from "./check.ts"
import { documentNames, extractedFile, ourDocument, readDocument } from "./documents.ts"
import { knownDifferences } from "./knownDifferences.ts"
import { ruled } from "./ruled.ts"
import { unservedPaths } from "./unserved.ts"
import { compatibilityPage, serverList } from "./written.ts"

const root = join(import.meta.dirname, "../../..")
const say = (text: string) => process.stdout.write(`${text}\n`)
const read = (path: string) => readFileSync(join(root, path), "utf8")

const page = "docs/compatibility.md"
const written = {
  [page]: compatibilityPage(read(page), unservedPaths, knownDifferences),
  "apps/server/src/http/unservedPaths.ts": serverList(unservedPaths)
}

const stale = Object.entries(written).filter(([path, text]) => read(path) !== text)
if (process.argv.includes("--write")) {
  for (const [path, text] of stale) {
    writeFileSync(join(root, path), text)
    say(`written: ${path}`)
  }
} else {
  const published = documentNames.map((name) => readDocument(extractedFile(name)))
  const ours = ourDocument()
  const faults = [
    ...unservedFaults(published, ours, unservedPaths),
    ...differenceFaults(published, ours, knownDifferences, ruled),
    ...stale.map(([path]) => `not what the lists say, npm run drift:write makes it: ${path}`)
  ]
  for (const fault of faults) say(`RED ${fault}`)
  say(
    `${faults.length === 0 ? "ok  " : ""}${knownDifferences.length} kinds of known differences, ${faults.length} faults`
  )
  process.exitCode = faults.length === 0 ? 0 : 1
}
