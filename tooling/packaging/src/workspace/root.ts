import { join } from "node:path"

/** The folder of this workspace. */
export const root = join(import.meta.dirname, "../../../..")
