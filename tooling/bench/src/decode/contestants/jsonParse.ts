import { fullPipe } from "../../document/fullPipe.ts"
import { decodeWork } from "../decodeWork.ts"

const text = JSON.stringify(fullPipe)

export const work = decodeWork({ decode: () => JSON.parse(text), checks: false })
