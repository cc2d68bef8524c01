import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { createHash } from "node:crypto"
import { nodeHeaders } from "./requestUrl.ts"

/** The entity tag of a content, quoted: a hash, which no other content has. */
export const contentTag = (content: string | Uint8Array): string =>
  `"${createHash("sha256").update(content).digest("base64url")}"`

/** Whether the caller has the content of a tag already: a weak comparison, as of every `If-None-Match` (RFC 9110, section 13.1.2). */
export const hasContent = (request: HttpServerRequest, tag: string): boolean => {
  const known = nodeHeaders(request)["if-none-match"]
  return known !== undefined && (known.includes(tag) || known.trim() === "*")
}
