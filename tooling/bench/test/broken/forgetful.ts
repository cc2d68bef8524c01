// Gives back another document than it was given.
import { decodeWork } from "../../src/decode/decodeWork.ts"

export const work = decodeWork({ decode: () => ({}), checks: false })
