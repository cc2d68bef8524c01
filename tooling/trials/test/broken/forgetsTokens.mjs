// Has the warehouse ignore deduplication tokens: a range that is replayed after a kill is in the table twice. Answers of the warehouse come
// 300 ms late, so that kills meet ranges that are inserted and not marked as done.
import { changeRequests } from "./changeRequests.mjs"

await changeRequests(
  (query) => query.replace("deduplicate_insert = 'enable'", "deduplicate_insert = 'disable'"),
  () => 300
)
