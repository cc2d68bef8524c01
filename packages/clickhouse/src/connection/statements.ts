import { randomUUID } from "node:crypto"
import { Readable } from "node:stream"
import { quoteString } from "../sql/quote.ts"

/** A statement as the client takes it. */
export interface Statement {
  readonly query: string
  readonly query_params?: Record<string, string>
  readonly query_id?: string
  readonly settings?: Readonly<Record<string, string | number>>
  readonly values?: Readable
  readonly http_headers?: Record<string, string>
}

/** A statement with its parameters. */
export type WriteStatement = (query: string, parameters: Readonly<Record<string, string>>) => Statement

// Quoted texts and names are passed over: what stands in them is no parameter.
const parameterOrQuoted = /'(?:[^'\\]|\\[^])*(?:'|\\?$)|`(?:[^`\\]|\\[^])*(?:`|\\?$)|\{(\w+):(\w+)\}/gu

/**
 * A statement with its parameters as literals. The embedded engine would run one statement with parameters at a time, in the
 * whole process, and the reading of an object takes long.
 */
export const withLiterals: WriteStatement = (query, parameters) => ({
  query: query.replaceAll(parameterOrQuoted, (found, name?: string, type?: string) => {
    const value = name === undefined ? undefined : parameters[name]
    if (value === undefined) return found
    return type === "String" ? quoteString(value) : `CAST(${quoteString(value)}, '${type}')`
  })
})

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" }

/**
 * A statement with its parameters in a form, which is the body of its request. The client would put them into the URL, and
 * servers and proxies log URLs.
 */
export const asForm: WriteStatement = (query, parameters) => {
  const fields = Object.entries(parameters).map(
    // The server reads a parameter as a field of TSV.
    ([name, value]) => [`param_${name}`, value.replaceAll(/[\\\t\n\r]/g, (found) => escapes[found] ?? found)] as const
  )
  if (fields.length === 0) return { query }
  const boundary = `headgate-${randomUUID()}`
  const parts = [["query", query] as const, ...fields].map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  )
  return {
    query: "",
    values: Readable.from([Buffer.from(`${parts.join("")}--${boundary}--\r\n`)]),
    http_headers: { "content-type": `multipart/form-data; boundary=${boundary}` }
  }
}
