// Does not look at the session of a lease: what a mover had that is gone stays with it.
import { changeMover } from "./changeSource.mjs"

await changeMover(
  [/CASE WHEN s\.id IS NULL OR s\.expires_at = 0 THEN 1/, "CASE WHEN FALSE THEN 1"],
  [
    /UPDATE pipe_lease SET held = 0 WHERE held = 1 AND session_id IN/,
    "UPDATE pipe_lease SET held = 0 WHERE FALSE AND session_id IN"
  ]
)
