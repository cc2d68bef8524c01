import formats from "ajv-formats"
import { Ajv2020 } from "ajv/dist/2020.js"
import { decodeWork } from "../decodeWork.ts"
import { typeboxPipe } from "./typeboxPipe.ts"

const ajv = new Ajv2020()
formats.default(ajv)
const isPipe = ajv.compile(typeboxPipe)

export const work = decodeWork({
  decode: (parsed) => {
    if (!isPipe(parsed)) throw new Error("no pipe")
    return parsed
  }
})
