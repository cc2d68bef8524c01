// `npm run drift:extract -- <management document> <observability document>`: what is compared of the documents that the
// real service publishes.
import { writeFileSync } from "node:fs"
import { documentNames, extractedFile, ourDocument, readDocument } from "./documents.ts"
import { extract, printed } from "./extract.ts"

const files = process.argv.slice(2)
if (files.length === documentNames.length) {
  const ours = ourDocument()
  for (const [index, name] of documentNames.entries()) {
    writeFileSync(extractedFile(name), `${printed(extract(readDocument(files[index] ?? ""), ours))}\n`)
  }
} else {
  process.stderr.write(`Expected ${documentNames.length} paths of OpenAPI documents: ${documentNames.join(", ")}\n`)
  process.exitCode = 1
}
