import { fullPipe } from "../../document/fullPipe.ts"
import { decodeWork } from "../decodeWork.ts"
import { Secret, zodPipeDecoded } from "./zodPipe.ts"

// A `Date` keeps no spelling: that it is the same instant has to do.
const textOf = (date: unknown, text: unknown): unknown =>
  date instanceof Date && typeof text === "string" && date.getTime() === Date.parse(text) ? text : date

export const work = decodeWork({
  decode: (parsed) => zodPipeDecoded.parse(parsed),
  toDocument: (decoded) => {
    const pipe = zodPipeDecoded.parse.length > 0 ? (decoded as ReturnType<typeof zodPipeDecoded.parse>) : undefined
    const secret = pipe?.source?.objectStorage?.connectionString
    return {
      ...pipe,
      createdAt: textOf(pipe?.createdAt, fullPipe["createdAt"]),
      updatedAt: textOf(pipe?.updatedAt, fullPipe["updatedAt"]),
      source: {
        ...pipe?.source,
        objectStorage: {
          ...pipe?.source?.objectStorage,
          connectionString: secret instanceof Secret ? secret.value : secret
        }
      }
    }
  }
})
