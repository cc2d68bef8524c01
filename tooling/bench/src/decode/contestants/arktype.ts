import { decodeWork } from "../decodeWork.ts"
import { arktypePipe } from "./arktypePipe.ts"

export const work = decodeWork({ decode: (parsed) => arktypePipe.assert(parsed) })
