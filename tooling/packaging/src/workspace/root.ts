import { join } from "node:path"

/** Where this workspace stands. */
export const root = join(import.meta.dirname, "../../../..")
