import { bodyOf, type Draft } from "./Draft.ts"

/** A request as bytes, and what is known of it. */
export interface WireRequest {
  readonly method: string
  readonly target: string
  readonly version: string
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: Buffer | undefined
  readonly chunked: boolean
  readonly isHttp: boolean
  readonly recipe: ReadonlyArray<string>
}

export const requestOf = (draft: Draft): WireRequest => ({ ...draft, body: bodyOf(draft) })

const chunkSize = 300

const inChunks = (body: Buffer): ReadonlyArray<Buffer> => {
  const chunks: Array<Buffer> = []
  for (let at = 0; at < body.length; at += chunkSize) {
    const chunk = body.subarray(at, at + chunkSize)
    chunks.push(Buffer.from(`${chunk.length.toString(16)};extension="x"\r\n`), chunk, Buffer.from("\r\n"))
  }
  return [...chunks, Buffer.from("0\r\n\r\n")]
}

/** The request as it goes over the wire, its body framed unless its headers do that in their own way. */
export const bytesOf = ({ body, chunked, headers, method, target, version }: WireRequest): Buffer => {
  const framed = headers.some(([name]) => name === "content-length" || name === "transfer-encoding")
  const framing =
    framed || body === undefined ? [] : [chunked ? "transfer-encoding: chunked" : `content-length: ${body.length}`]
  const head = [`${method} ${target} ${version}`, ...headers.map(([name, value]) => `${name}: ${value}`), ...framing]
  return Buffer.concat([
    Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"),
    ...(body === undefined ? [] : chunked && !framed ? inChunks(body) : [body])
  ])
}

/** The request as a text that can be read, and pasted into a program. */
export const shown = (request: WireRequest): string => JSON.stringify(bytesOf(request).toString("latin1"))
