import type { ObjectAddress, ObjectReference, SourceError } from "@headgate/mover"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { isIPv6 } from "node:net"
import type { ObjectStorageOptions } from "../options/ObjectStorageOptions.ts"
import { isTrustedStorage } from "./isTrustedStorage.ts"
import type { SignedRequest } from "./signV4.ts"

/** An object as the storage describes it. */
export interface StoredObject {
  readonly key: string
  readonly etag: string
  /** Its ETag says that another object of that ETag may have other bytes. */
  readonly isWeak?: boolean
  readonly size: number
}

/** Longer than a statement of the warehouse may take: each of its requests for a part of the object is checked. */
const signedFor = Duration.minutes(70)

/** The largest object of Parquet that is read without ranges, and so is in the memory of the warehouse whole. */
const mostWhole = 64 * 1024 * 1024

// What an ETag may hold but for a quote (RFC 9110). A weak one never matches.
const isTag = /^[\x21\x23-\x7e]+$/u

/** What an address is made of when a statement needs it. */
export interface AddressParts {
  readonly url: string
  /** The address of the host, which has been checked. */
  readonly resolve: Effect.Effect<string, SourceError>
  /** Absent: anyone may read the objects. */
  readonly sign: ((request: Omit<SignedRequest, "region">, expires: Duration.Duration) => URL) | undefined
}

/** An address by which the warehouse reads an object over HTTP. */
const urlAddress = Effect.fnUntraced(function* (
  { etag, isWeak }: StoredObject,
  { resolve, sign, url: text }: AddressParts
) {
  const url = new URL(text)
  const headers: Record<string, string> = isTag.test(etag) && isWeak !== true ? { "If-Match": `"${etag}"` } : {}
  const signed = sign === undefined ? url : sign({ method: "GET", url, now: yield* DateTime.now }, signedFor)
  // Over https the certificate says that the host is the one of the name. Over http the name may lead elsewhere when it is looked up
  // again, so the address that was checked is part of the URL.
  const pinned = new URL(signed)
  const address = yield* resolve
  if (url.protocol === "http:") {
    pinned.hostname = isIPv6(address) ? `[${address}]` : address
    headers["Host"] = url.host
  }
  const found: ObjectAddress = {
    _tag: "Url",
    url: Redacted.make(pinned.href),
    headers,
    isSigned: sign !== undefined
  }
  return found
})

/** Why the warehouse cannot read an object as it is asked to; `undefined` if it can. */
const refusalOf = (
  { key, size }: StoredObject,
  { accessKey, format }: Pick<ObjectStorageOptions, "accessKey" | "format">,
  url: URL,
  isTrusted: boolean
): string | undefined => {
  if (key.split("/").some((part) => part === "." || part === "..")) {
    return `object ${key}: no URL has a part . or .. in it`
  }
  if (format !== "Parquet" || accessKey === undefined || isTrusted || size <= mostWhole) return undefined
  return `source.objectStorage.format: Parquet that needs an access key is read from ${url.hostname} up to ${mostWhole} bytes, and object ${key} has ${size}: if no user of this server controls that host, start the server with --trust-storage ${url.hostname}`
}

/** How the warehouse reads an object, or why it does not. */
export const referObject = (
  object: StoredObject,
  options: Pick<ObjectStorageOptions, "accessKey" | "compression" | "delimiter" | "format" | "trustedHosts">,
  parts: AddressParts
):
  | { readonly _tag: "Read"; readonly object: ObjectReference }
  | { readonly _tag: "Refused"; readonly reason: string } => {
  const { accessKey, compression, delimiter, format, trustedHosts } = options
  const url = new URL(parts.url)
  const isTrusted = isTrustedStorage(url, trustedHosts)
  const reason = refusalOf(object, options, url, isTrusted)
  if (reason !== undefined) return { _tag: "Refused", reason }
  // The client of S3 reads columns of Parquet alone. For a small object it takes three times the CPU of a request over HTTP.
  const byClient: ObjectAddress | undefined =
    isTrusted && format === "Parquet" && accessKey !== undefined ? { _tag: "S3", url: parts.url, accessKey } : undefined
  return {
    _tag: "Read",
    object: {
      key: object.key,
      format,
      compression,
      ...(delimiter === undefined ? {} : { delimiter }),
      address: byClient === undefined ? urlAddress(object, parts) : Effect.as(parts.resolve, byClient)
    }
  }
}
