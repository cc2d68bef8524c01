// Keeps what a mover says of a pipe, whoever has had the pipe since.
import { changeMover } from "./changeSource.mjs"

await changeMover(
  [/WHERE l\.pipe_id IS NULL OR l\.session_id = \$\{id\}/, "WHERE TRUE"],
  [/WHERE pipe_metrics\.taken < excluded\.taken[^`]*/, ""]
)
