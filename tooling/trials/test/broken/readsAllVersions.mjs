// Reads all versions of a row that the engine has not merged yet.
import { changeServer } from "./changeSource.mjs"

await changeServer([/from:`\$\{name\} FINAL`/, "from:`${name}`"])
