// Asks for what has changed since the last change that it saw, and not since the oldest transaction that was open then.
import { changeMover } from "./changeSource.mjs"

await changeMover(
  [
    /CAST\(pg_snapshot_xmin\(pg_current_snapshot\(\)\) AS TEXT\)/,
    "(SELECT COALESCE(CAST(max(changed) AS TEXT), '0') FROM pipe)"
  ],
  [/changed >= CAST/, "changed > CAST"]
)
