import { decodeWork } from "../decodeWork.ts"
import { zodPipe } from "./zodPipe.ts"

export const work = decodeWork({ decode: (parsed) => zodPipe.parse(parsed) })
