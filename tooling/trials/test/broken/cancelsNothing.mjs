// Ends no query whose caller has hung up.
import { changeServer } from "./changeSource.mjs"

await changeServer(
  [/KILL QUERY WHERE query_id =/, "KILL QUERY WHERE 0 AND query_id ="],
  [/KILL QUERY WHERE query LIKE/, "KILL QUERY WHERE 0 AND query LIKE"]
)
