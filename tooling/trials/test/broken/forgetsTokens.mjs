// Has the warehouse ignore deduplication tokens: a range that is replayed after a kill is in the table twice. Answers of the warehouse come
// 300 ms late, so that kills meet ranges that are inserted and not marked as done.
import http from "node:http"
import { syncBuiltinESMExports } from "node:module"
import { pathToFileURL } from "node:url"

const request = http.request
http.request = (url, ...args) => {
  if (url instanceof URL && url.searchParams.has("query")) {
    const query = url.searchParams.get("query")
    url.searchParams.set("query", query.replace("deduplicate_insert = 'enable'", "deduplicate_insert = 'disable'"))
  }
  const sent = request.call(http, url, ...args)
  const emit = sent.emit
  sent.emit = (event, ...values) => {
    if (event !== "response") return emit.call(sent, event, ...values)
    setTimeout(() => emit.call(sent, event, ...values), 300)
    return true
  }
  return sent
}
syncBuiltinESMExports()
const built = new URL("../../../../apps/server/bin/headgate-server.mjs", import.meta.url)
await import((process.env.TRIAL_SERVER === undefined ? built : pathToFileURL(process.env.TRIAL_SERVER)).href)
