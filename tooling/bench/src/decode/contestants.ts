import type * as Schema from "effect/Schema"
import { fullPipe } from "../document/fullPipe.ts"
import { wrongPipes } from "../document/wrongPipes.ts"
import type { Contestants, Work } from "../work/ContestantProcess.ts"

interface Decoder {
  /** Throws if the pipe is wrong. */
  readonly decode: (parsed: unknown) => unknown
  /** Turns what was decoded back into the document. Default: it is the document. */
  readonly toDocument?: (decoded: any) => unknown
  /** Whether it checks what it reads. Default: true. */
  readonly checks?: boolean
}

const throws = (decode: (parsed: unknown) => unknown, parsed: unknown): boolean => {
  try {
    decode(parsed)
    return false
  } catch {
    return true
  }
}

/**
 * The last decoded value. A compiler may leave out work whose result is not read.
 *
 * @public
 */
export let last: unknown

/** The decoding of the full pipe as work to measure. */
export const decodeWork = ({ checks = true, decode, toDocument = (decoded) => decoded }: Decoder): Work => ({
  once: async () => toDocument(decode(structuredClone(fullPipe))) as Schema.Json, // compared with the document
  accepted: async () =>
    Object.entries(checks ? wrongPipes : {})
      .filter(([, pipe]) => !throws(decode, pipe))
      .map(([name]) => name),
  repeat: (times) => {
    for (let index = 0; index < times; index++) last = decode(fullPipe)
  }
})

const headgate = async () => {
  const { Pipe } = await import("@headgate/core")
  const Schema = await import("effect/Schema")
  return decodeWork({ decode: Schema.decodeUnknownSync(Pipe), toDocument: Schema.encodeUnknownSync(Pipe) })
}

const interpreted = async () => {
  const Schema = await import("effect/Schema")
  const { InterpretedPipe } = await import("./InterpretedPipe.ts")
  return decodeWork({
    decode: Schema.decodeUnknownSync(InterpretedPipe),
    toDocument: Schema.encodeUnknownSync(InterpretedPipe)
  })
}

// A `Date` does not keep the text that it was read from: the same instant is enough.
const textOf = (date: unknown, text: unknown): unknown =>
  date instanceof Date && typeof text === "string" && date.getTime() === Date.parse(text) ? text : date

const checking = (isPipe: (parsed: unknown) => boolean) =>
  decodeWork({
    decode: (parsed) => {
      if (!isPipe(parsed)) throw new Error("not a pipe")
      return parsed
    }
  })

/** Ways to read a parsed pipe. */
export const contestants: Contestants = {
  headgate,
  "  Effect's interpreter alone": interpreted,
  "  Effect's JIT alone": async () => {
    // Schemas that were used before it is enabled stay interpreted.
    await import("effect/schema/SchemaJITCompiler/enable")
    return interpreted()
  },
  "zod 4, decoded": async () => {
    const { Secret, zodPipeDecoded } = await import("./zodPipe.ts")
    return decodeWork({
      decode: (parsed) => zodPipeDecoded.parse(parsed),
      toDocument: (pipe: any) => {
        const { objectStorage } = pipe.source
        const secret = objectStorage.connectionString
        const connectionString = secret instanceof Secret ? secret.value : secret
        return {
          ...pipe,
          createdAt: textOf(pipe.createdAt, fullPipe["createdAt"]),
          updatedAt: textOf(pipe.updatedAt, fullPipe["updatedAt"]),
          source: { ...pipe.source, objectStorage: { ...objectStorage, connectionString } }
        }
      }
    })
  },
  "zod 4, checked": async () => {
    const { zodPipe } = await import("./zodPipe.ts")
    return decodeWork({ decode: (parsed) => zodPipe.parse(parsed) })
  },
  "arktype, checked": async () => {
    const { arktypePipe } = await import("./arktypePipe.ts")
    return decodeWork({ decode: (parsed) => arktypePipe.assert(parsed) })
  },
  "typebox, checked": async () => {
    const { Compile } = await import("typebox/compile")
    const { jsonSchemaPipe } = await import("./jsonSchemaPipe.ts")
    const validator = Compile(jsonSchemaPipe)
    return checking((parsed) => validator.Check(parsed))
  },
  "ajv, checked": async () => {
    const { Ajv2020 } = await import("ajv/dist/2020.js")
    const { default: formats } = await import("ajv-formats")
    const { jsonSchemaPipe } = await import("./jsonSchemaPipe.ts")
    const ajv = new Ajv2020()
    formats.default(ajv)
    return checking(ajv.compile(jsonSchemaPipe))
  },
  "JSON.parse alone": async () => {
    const text = JSON.stringify(fullPipe)
    return decodeWork({ decode: () => JSON.parse(text), checks: false })
  }
}
