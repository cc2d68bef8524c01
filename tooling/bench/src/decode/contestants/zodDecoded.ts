import type * as z from "zod"
import { fullPipe } from "../../document/fullPipe.ts"
import { decodeWork } from "../decodeWork.ts"
import { Secret, zodPipeDecoded } from "./zodPipe.ts"

// A `Date` keeps no spelling: that it is the same instant has to do.
const textOf = (date: unknown, text: unknown): unknown =>
  date instanceof Date && typeof text === "string" && date.getTime() === Date.parse(text) ? text : date

export const work = decodeWork({
  decode: (parsed) => zodPipeDecoded.parse(parsed),
  toDocument: (decoded) => {
    // Its own result, as nobody else calls it.
    const pipe = decoded as z.infer<typeof zodPipeDecoded>
    const { source } = pipe
    const secret = source?.objectStorage?.connectionString
    return {
      ...pipe,
      createdAt: textOf(pipe.createdAt, fullPipe["createdAt"]),
      updatedAt: textOf(pipe.updatedAt, fullPipe["updatedAt"]),
      source: {
        ...source,
        objectStorage: { ...source?.objectStorage, connectionString: secret instanceof Secret ? secret.value : secret }
      }
    }
  }
})
