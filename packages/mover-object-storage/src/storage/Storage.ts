import { SourceError } from "@headgate/mover"
import { DOMParser, type Element, onErrorStopParsing } from "@xmldom/xmldom"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { type Bucket, encodeKey, isAbove } from "../key/Bucket.ts"
import type { ObjectStorageOptions } from "../options/ObjectStorageOptions.ts"
import { type AddressParts, referObject, type StoredObject } from "./objectReference.ts"
import { type Answer, resolveHost, send } from "./send.ts"
import { makeSigner } from "./signV4.ts"

/** An object in a list. */
export interface ListedObject extends StoredObject {
  /** When it was written, in milliseconds since 1970, to whole seconds; 0 if the storage does not say. */
  readonly modified: number
}

/** Some keys of a bucket, in their order. */
export interface ListedKeys {
  readonly objects: ReadonlyArray<ListedObject>
  /** Whether more keys follow the last one. */
  readonly isTruncated: boolean
}

// Storages declare one or two. The parser takes the square of their number when they are nested.
const maxNamespaces = 100
// Codes of errors are words.
const maxCodeLength = 300

/** The fields of a pipe's source that a storage refuses by these statuses. */
const refusedFields: Readonly<Record<number, string>> = {
  301: "url",
  307: "url",
  401: "accessKey",
  403: "accessKey",
  404: "url"
}

const parser = new DOMParser({ onError: onErrorStopParsing })

/** The outermost element of an answer; `undefined` if it is no XML, or has too many namespaces. */
const parse = (body: string): Element | undefined => {
  if ((body.match(/[\s"']xmlns/gu)?.length ?? 0) > maxNamespaces) return undefined
  try {
    return parser.parseFromString(body, "text/xml").documentElement ?? undefined
  } catch {
    return undefined
  }
}

const isElement = (node: object): node is Element => Predicate.hasProperty(node, "nodeType") && node.nodeType === 1

// Only direct children are read: a search in all that an element holds takes the square of the depth of an answer.
const childrenOf = (parent: Element | undefined): ReadonlyArray<Element> =>
  Array.from(parent?.childNodes ?? []).filter(isElement)

/** The text of a child; `undefined` if there is none, or if it has elements. */
const textIn = (parent: Element | undefined, name: string): string | undefined => {
  const child = childrenOf(parent).find(({ nodeName }) => nodeName === name)
  return child === undefined || childrenOf(child).length > 0 ? undefined : (child.textContent ?? undefined)
}

const ListAnswer = Schema.Struct({
  IsTruncated: Schema.String,
  Contents: Schema.Array(
    Schema.Struct({
      Key: Schema.String,
      ETag: Schema.String,
      Size: Schema.FiniteFromString,
      LastModified: Schema.UndefinedOr(Schema.String)
    })
  )
})
const decodeList = Schema.decodeUnknownEffect(ListAnswer)

const firstOf = (header: string | Array<string> | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header

/** An ETag without its quotes. */
const tagOf = (etag: string) => ({
  etag: etag.replaceAll(/^W\/|"/gu, ""),
  ...(etag.startsWith("W/") ? { isWeak: true } : {})
})

/** For how long the address of a host is used: requests of one list or one range ask for it once. */
const keptFor = 1_000_000_000n

/** Reads lists and descriptions of a bucket's objects. It follows no redirects, and never reads an object itself. */
export const makeStorage = (
  { base, hostname }: Bucket,
  { accessKey, resolve = resolveHost }: Pick<ObjectStorageOptions, "accessKey" | "resolve"> = {}
) => {
  // Regions are learned from the storage where the host does not name one.
  let region = /\.s3[.-]([a-z\d-]+)\.|^s3[.-]([a-z\d-]+)\./u.exec(hostname)?.slice(1).find(Predicate.isNotUndefined)
  if (hostname.endsWith(".r2.cloudflarestorage.com")) region = "auto"

  const signer = accessKey === undefined ? undefined : makeSigner(accessKey)
  const regionNow = () => region ?? "us-east-1"
  let resolved: { readonly address: string; readonly at: bigint } | undefined

  /** The address that is connected to. */
  const addressNow = Effect.gen(function* () {
    const now = yield* Clock.monotonicTimeNanos
    if (resolved === undefined || now - resolved.at > keptFor) resolved = { address: yield* resolve(hostname), at: now }
    return resolved.address
  })

  const call = Effect.fnUntraced(function* (method: "GET" | "HEAD", url: URL) {
    const [address, now] = [yield* addressNow, yield* DateTime.now]
    const signed = () => signer?.headers({ method, url, now, region: regionNow() }) ?? {}
    const answer = yield* send(method, url, signed(), address)
    const told = firstOf(answer.headers["x-amz-bucket-region"])
    if (answer.status < 300 || told === undefined || told === region || accessKey === undefined) return answer
    region = told
    return yield* send(method, url, signed(), address)
  })

  const noList = () => new SourceError({ message: `the storage ${hostname} answers with something else than a list` })

  const refused = ({ body, status }: Answer, what: string) => {
    const error = parse(body)
    const code = error === undefined ? "" : ` ${textIn(error, "Code")?.slice(0, maxCodeLength) ?? ""}`
    const hint =
      status >= 300 && status < 400 ? ": the bucket is served at another address, which the URL has to name" : ""
    const field = refusedFields[status]
    return new SourceError({
      message: `the storage ${hostname} refuses ${what}: ${status}${code}${hint}`,
      ...(field === undefined ? {} : { field })
    })
  }

  return {
    /** How the warehouse reads an object, or why it does not. */
    refer: (object: StoredObject, options: Parameters<typeof referObject>[1]) => {
      const sign: AddressParts["sign"] =
        signer === undefined
          ? undefined
          : (request, expires) => signer.url({ ...request, region: regionNow() }, expires)
      return referObject(object, options, { url: `${base}/${encodeKey(object.key)}`, resolve: addressNow, sign })
    },
    /** The keys that begin with `prefix` and sort above `after`, at most 1,000. If more follow, it has at least one. */
    list: Effect.fn("Storage.list")(function* (prefix: string, after: string) {
      const url = new URL(`${base}/`)
      // A query of its own order is signed as it is sent.
      const query = { "encoding-type": "url", "list-type": "2", prefix, "start-after": after }
      for (const [name, value] of Object.entries(query)) if (value !== "") url.searchParams.set(name, value)
      url.search = url.search.replaceAll("+", "%20")
      const answer = yield* call("GET", url)
      if (answer.status !== 200) return yield* refused(answer, "to list the bucket")
      const root = parse(answer.body)
      const elements = childrenOf(root).filter(({ nodeName }) => nodeName === "Contents")
      const found = yield* Effect.mapError(
        decodeList({
          IsTruncated: textIn(root, "IsTruncated"),
          Contents: elements.map((element) => ({
            Key: textIn(element, "Key"),
            ETag: textIn(element, "ETag"),
            Size: textIn(element, "Size"),
            LastModified: textIn(element, "LastModified")
          }))
        }),
        noList
      )
      const isEncoded = textIn(root, "EncodingType") === "url"
      const decodeKey = (key: string) => (isEncoded ? decodeURIComponent(key.replaceAll("+", "%20")) : key)
      const objects = yield* Effect.try({
        try: () =>
          found.Contents.map(({ ETag, Key, LastModified = "", Size }) => {
            const modified = Date.parse(LastModified)
            return {
              key: decodeKey(Key),
              ...tagOf(ETag),
              size: Size,
              modified: Number.isFinite(modified) ? modified : 0
            }
          }),
        catch: noList
      })
      const isTruncated = found.IsTruncated === "true"
      // The next list begins after the last key, so this one would be asked for without end.
      if (isTruncated && !isAbove(objects.at(-1)?.key ?? after, after)) {
        const message = `the storage ${hostname} says that more keys follow, and lists none of them`
        return yield* new SourceError({ message })
      }
      return { objects, isTruncated } satisfies ListedKeys
    }),
    /** An object by its key; `undefined` if there is none. */
    find: Effect.fn("Storage.find")(function* (key: string) {
      const answer = yield* call("HEAD", new URL(`${base}/${encodeKey(key)}`))
      if (answer.status === 404) return undefined
      if (answer.status !== 200) return yield* refused(answer, "to describe an object")
      const [etag, size] = [firstOf(answer.headers.etag), Number(answer.headers["content-length"])]
      if (etag === undefined || !Number.isSafeInteger(size)) {
        return yield* new SourceError({ message: `the storage ${hostname} describes an object without ETag or size` })
      }
      return { key, ...tagOf(etag), size } satisfies StoredObject
    })
  }
}
export type Storage = ReturnType<typeof makeStorage>
