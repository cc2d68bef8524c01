import type { Random } from "@headgate/harness/Random"

/** A request that mutations change in place. */
export interface Draft {
  method: string
  target: string
  version: string
  headers: Array<readonly [name: string, value: string]>
  /** The body while it is a document; `undefined` if there is none or it is bytes. */
  json: unknown
  body: Buffer | undefined
  isChunked: boolean
  /** Whether it is still HTTP. If not, the server may reject it without knowing which API was meant. */
  isHttp: boolean
  /** The names of the mutations that were applied. */
  readonly mutations: Array<string>
}

/** Changes a draft; returns `false` if it does not apply to it. */
export type Mutation = (draft: Draft, random: Random) => void | false

export type Mutations = Readonly<Record<string, Mutation>>

export const hasBody = ({ body, json }: Draft): boolean => body !== undefined || json !== undefined

/** The path of a target. Node's parser reads more than one space before the version of HTTP as one. */
export const pathOfTarget = (target: string): string => target.trimEnd().replace(/[?#].*$/s, "")

/** The body as bytes. */
export const bodyOf = ({ body, json }: Draft): Buffer | undefined =>
  body ?? (json === undefined ? undefined : Buffer.from(JSON.stringify(json)))

/** Replaces the document by bytes. */
export const setBody = (draft: Draft, body: Buffer): void => {
  draft.body = body
  draft.json = undefined
}

export const dropHeader = (draft: Draft, name: string): void => {
  draft.headers = draft.headers.filter(([other]) => other.toLowerCase() !== name)
}

export const setHeader = (draft: Draft, name: string, value: string): void => {
  dropHeader(draft, name)
  draft.headers.push([name, value])
}

const chunkSize = 300

const inChunks = (body: Buffer): ReadonlyArray<Buffer> => {
  const chunks: Array<Buffer> = []
  for (let at = 0; at < body.length; at += chunkSize) {
    const chunk = body.subarray(at, at + chunkSize)
    chunks.push(Buffer.from(`${chunk.length.toString(16)};extension="x"\r\n`), chunk, Buffer.from("\r\n"))
  }
  return [...chunks, Buffer.from("0\r\n\r\n")]
}

/** The bytes of a draft. The body gets a length unless a header already frames it. */
export const bytesOf = (draft: Draft): Buffer => {
  const { headers, isChunked, method, target, version } = draft
  const body = bodyOf(draft)
  const isFramed = headers.some(([name]) => name === "content-length" || name === "transfer-encoding")
  const framing = isChunked ? "transfer-encoding: chunked" : `content-length: ${body?.length}`
  const head = [
    `${method} ${target} ${version}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(isFramed || body === undefined ? [] : [framing])
  ]
  return Buffer.concat([
    Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"),
    ...(body === undefined ? [] : isChunked && !isFramed ? inChunks(body) : [body])
  ])
}

/** The bytes as text that can be read and pasted into a program. */
export const shown = (draft: Draft): string => {
  const text = JSON.stringify(bytesOf(draft).toString("latin1"))
  return text.length > 600 ? `${text.slice(0, 600)}...` : text
}
