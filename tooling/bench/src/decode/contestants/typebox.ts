import { Compile } from "typebox/compile"
import { decodeWork } from "../decodeWork.ts"
import { typeboxPipe } from "./typeboxPipe.ts"

const validator = Compile(typeboxPipe)

export const work = decodeWork({
  decode: (parsed) => {
    if (!validator.Check(parsed)) throw new Error("no pipe")
    return parsed
  }
})
