// Does not look at the session of a lease: what a mover had that is gone stays with it.
import { changeMover } from "./changeSource.mjs"

await changeMover([/WHEN l\.held = 0 OR s\.id IS NULL OR s\.expires_at = 0 THEN/, "WHEN l.held = 0 THEN"])
