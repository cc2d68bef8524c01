// Says that it checks, and takes everything.
import { decodeWork } from "../../src/decode/decodeWork.ts"

export const work = decodeWork({ decode: (parsed) => parsed })
