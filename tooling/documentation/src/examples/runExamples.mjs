// Runs the modules on the command line, one after another, and prints their output as JSON.
import { pathToFileURL } from "node:url"
import { format } from "node:util"

const results = []
const { log } = console
for (const path of process.argv.slice(2)) {
  const printed = []
  console.log = (...values) => printed.push(format(...values))
  try {
    await import(pathToFileURL(path).href)
    results.push({ printed })
  } catch (error) {
    results.push({ printed, failed: String(error) })
  }
}
console.log = log
console.log(JSON.stringify(results))
process.exit()
