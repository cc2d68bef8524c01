import { quoteString } from "@headgate/clickhouse"
import { isLinkLocal, type ObjectAddress, type ObjectReference, ObjectRejected } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Settings } from "../sql/insertSettings.ts"
import type { ObjectQuery } from "./unionAll.ts"

/** An object, with the address at which one statement reads it. */
export interface AddressedObject extends ObjectReference {
  readonly at: ObjectAddress
}

const decode = (path: string): string | undefined => {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/** The address as it stands in a statement. */
export const urlOf = (at: ObjectAddress): string => (at._tag === "Url" ? Redacted.value(at.url) : at.url)

/** What an address must not have; `undefined` if it may be read. */
const urlRefusal = (at: ObjectAddress, url: URL): string | undefined => {
  if (url.protocol !== "https:" && url.protocol !== "http:") return "its address is not of https or http"
  if (url.username !== "" || url.password !== "") return "its address has credentials"
  if (url.hash !== "" || (at._tag === "S3" && url.search !== "")) return "its address has a query or a fragment"
  return isLinkLocal(url.hostname) ? "its address is link-local" : undefined
}

/**
 * Why the engine is not asked to read an object; `undefined` if it may be. The engine connects with the rights of its own
 * machine. Its client of S3 reads some characters of a key as a pattern or as the name of an archive.
 */
const objectRefusal = (at: ObjectAddress, delimiter = ","): string | undefined => {
  const text = urlOf(at)
  if (!URL.canParse(text)) return "its address is no URL"
  const url = new URL(text)
  const refusal = urlRefusal(at, url)
  if (refusal !== undefined) return refusal
  if (delimiter.length !== 1) return "its delimiter is not one character"
  const path = decode(url.pathname)
  if (path === undefined || path.includes("\0")) return "its key is not UTF-8 without NUL"
  // As it stands, `{a,b}` are two addresses to the engine, and `a|b` another one for when the first does not answer.
  if (at._tag === "Url") return /[*?{}|]/.test(url.pathname) ? "its address is not percent-encoded" : undefined
  if (/[*?{}]|::/.test(path)) return "its key has one of * ? { } :: which the warehouse would read as a pattern"
  return undefined
}

/** Asks where an object is read now. Fails with `ObjectRejected` if the engine must not read there. */
export const addressed = Effect.fnUntraced(function* (object: ObjectReference) {
  const at = yield* object.address
  const reason = objectRefusal(at, object.delimiter)
  if (reason !== undefined) return yield* new ObjectRejected({ reason })
  const found: AddressedObject = { ...object, at }
  return found
})

const compressions: Readonly<Record<ObjectReference["compression"], string>> = {
  auto: "auto",
  none: "none",
  gzip: "gzip",
  brotli: "br",
  xz: "xz",
  zstd: "zstd"
}

/**
 * The engine's function that reads an object. Without a key, the client of S3 is asked not to sign with credentials of its own
 * machine.
 */
export const objectFunction = (
  { at, compression, format }: AddressedObject,
  structure: string,
  readAs: string = format
): ObjectQuery => {
  const common = {
    object_url: urlOf(at),
    object_format: readAs,
    object_structure: structure,
    object_compression: compressions[compression]
  }
  const value = (name: string) => `{object_${name}:String}`
  const rest = ["format", "structure", "compression"].map(value)
  if (at._tag === "S3") {
    if (at.accessKey === undefined) {
      return { sql: `s3(${[value("url"), "NOSIGN", ...rest].join(", ")})`, parameters: common }
    }
    const { accessKeyId, secretKey } = Redacted.value(at.accessKey)
    return {
      sql: `s3(${[value("url"), value("key"), value("secret"), ...rest].join(", ")})`,
      parameters: { ...common, object_key: accessKeyId, object_secret: secretKey }
    }
  }
  const headers = Object.entries(at.headers)
  const names = headers.map(([name], index) => `${quoteString(name)} = ${value(`header_${index}`)}`)
  const values = headers.map(([, text], index) => [`object_header_${index}`, text])
  const withHeaders = headers.length === 0 ? [] : [`headers(${names.join(", ")})`]
  return {
    sql: `url(${[value("url"), ...rest, ...withHeaders].join(", ")})`,
    parameters: { ...common, ...Object.fromEntries(values) }
  }
}

/** The settings of a statement that reads objects at such an address. What a storage answers leads nowhere else. */
export const addressSettings = (at?: ObjectAddress): Settings => ({
  // The engine follows some answers to s3() all the same, in its second try.
  s3_max_redirects: 0,
  s3_max_single_read_retries: 1,
  max_http_get_redirects: 0,
  // The signature is that of the address as it stands.
  enable_url_encoding: 0,
  http_max_tries: 3,
  // A signed address is for GET alone.
  http_make_head_request: at?._tag === "Url" && at.isSigned ? 0 : 1
})

/** The message of a failure without the access key and the signature, which a storage may repeat in its answer. */
export const redactAddress = ({ at }: AddressedObject, message: string): string => {
  const key = at._tag === "S3" && at.accessKey !== undefined ? Redacted.value(at.accessKey) : undefined
  const signed = at._tag === "Url" ? Array.from(new URL(urlOf(at)).searchParams.values()) : []
  return [key?.secretKey ?? "", key?.accessKeyId ?? "", ...signed.filter((text) => text.length >= 16)]
    .filter((secret) => secret !== "")
    .reduce((text, secret) => text.replaceAll(secret, "[redacted]"), message)
}
