// Loaded into a server before its own modules: finds the engine in the folder TRIAL_CHDB, and runs the statements that it gets on a
// port, on a connection of its own.
import { createServer } from "node:http"
import { createRequire, registerHooks } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

const folder = process.env.TRIAL_CHDB ?? ""
const parentURL = pathToFileURL(join(folder, "chdb.mjs")).href
registerHooks({
  resolve: (name, context, next) =>
    next(name, name === "chdb" || name.startsWith("chdb/") ? { ...context, parentURL } : context)
})

let session
const run = async (sql) => {
  session ??= new (createRequire(parentURL)("chdb").Session)(process.env.PROBE_FOLDER)
  return (await session.queryAsync(sql, { format: "TSV" })).text()
}

createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  try {
    response.end(await run(Buffer.concat(chunks).toString("utf8")))
  } catch (error) {
    response.writeHead(500).end(String(error?.message ?? error))
  }
})
  .listen(Number(process.env.PROBE_PORT), "127.0.0.1")
  .unref()
