// Records the objects that were read in its own database alone, and not in the warehouse.
import { changeSource } from "./changeSource.mjs"

await changeSource(/warehouse\.log\(range, ?read\)/, "warehouse.log(range)")
