import { isLinkLocal, SourceError } from "@headgate/mover"
import { DOMParser, type Element, onErrorStopParsing } from "@xmldom/xmldom"
import { AwsV4Signer } from "aws4fetch"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { lookup, type LookupAddress, type LookupOptions } from "node:dns"
import * as http from "node:http"
import * as https from "node:https"
import { isIP } from "node:net"
import { type Bucket, encodeKey, isAbove } from "../key/Bucket.ts"
import type { ObjectStorageOptions } from "../options/ObjectStorageOptions.ts"

/** An object as the storage describes it. */
export interface StoredObject {
  readonly key: string
  readonly etag: string
  readonly size: number
}

/** Some keys of a bucket, in their order. */
export interface ListedKeys {
  readonly objects: ReadonlyArray<StoredObject>
  /** Whether more keys follow the last one. */
  readonly isTruncated: boolean
}

interface Answer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

const timeout = "30 seconds"
// A list has at most 1,000 keys of 1,024 bytes, which may be percent-encoded.
const maxAnswerBytes = 16 * 1024 * 1024
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

type Found = (error: NodeJS.ErrnoException | null, address: string | Array<LookupAddress>, family?: number) => void

/** Looks up a host, and refuses a link-local address where it is connected to: a name may lead to one. */
const guardedLookup = (hostname: string, options: LookupOptions, found: Found): void => {
  lookup(hostname, options, (error, address, family) => {
    const addresses = typeof address === "string" ? [address] : (address ?? []).map((one) => one.address)
    const isRefused = error === null && addresses.some(isLinkLocal)
    found(isRefused ? new Error("it has a link-local address") : error, address, family)
  })
}

/** Answers each lookup with this address. */
const lookupTo =
  (address: string) =>
  (_: string, options: LookupOptions, found: Found): void => {
    const family = isIP(address)
    if (options.all === true) found(null, [{ address, family }])
    else found(null, address, family)
  }

const send = (
  method: string,
  url: URL,
  headers: Readonly<Record<string, string>>,
  lookup: typeof guardedLookup = guardedLookup
) =>
  Effect.callback<Answer, SourceError>((resume) => {
    const fail = (message: string) =>
      resume(Effect.fail(new SourceError({ message: `the storage ${url.host} cannot be reached: ${message}` })))
    const { request: open } = url.protocol === "https:" ? https : http
    const request = open(url, { method, headers, lookup }, (response) => {
      const chunks: Array<Buffer> = []
      let bytes = 0
      response.on("error", (error) => fail(error.message))
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes <= maxAnswerBytes) return void chunks.push(chunk)
        request.destroy()
        fail(`its answer has more than ${maxAnswerBytes} bytes`)
      })
      response.on("end", () => {
        const { headers, statusCode: status = 0 } = response
        resume(Effect.succeed({ status, headers, body: Buffer.concat(chunks).toString("utf8") }))
      })
    })
    request.on("error", (error) => fail(error.message))
    request.end()
    return Effect.sync(() => void request.destroy())
  }).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () =>
        Effect.fail(new SourceError({ message: `the storage ${url.host} did not answer within ${timeout}` }))
    })
  )

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
  Contents: Schema.Array(Schema.Struct({ Key: Schema.String, ETag: Schema.String, Size: Schema.FiniteFromString }))
})
const decodeList = Schema.decodeUnknownEffect(ListAnswer)

const firstOf = (header: string | Array<string> | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header

const plainTag = (etag: string): string => etag.replaceAll(/^W\/|"/gu, "")

/** Reads lists and descriptions of a bucket's objects. It follows no redirects, and never reads an object itself. */
export const makeStorage = (
  { base, hostname }: Bucket,
  { accessKey, resolve }: Pick<ObjectStorageOptions, "accessKey" | "resolve"> = {}
) => {
  // Regions are learned from the storage where the host does not name one.
  let region = /\.s3[.-]([a-z\d-]+)\.|^s3[.-]([a-z\d-]+)\./u.exec(hostname)?.slice(1).find(Predicate.isNotUndefined)
  if (hostname.endsWith(".r2.cloudflarestorage.com")) region = "auto"

  const headersOf = Effect.fnUntraced(function* (method: string, url: URL) {
    if (accessKey === undefined) return {}
    const { accessKeyId, secretKey } = Redacted.value(accessKey)
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      accessKeyId,
      secretAccessKey: secretKey,
      service: "s3",
      region: region ?? "us-east-1"
    })
    const { headers } = yield* Effect.promise(() => signer.sign())
    return Object.fromEntries(headers.entries())
  })

  const call = Effect.fnUntraced(function* (method: "GET" | "HEAD", url: URL) {
    const lookup = resolve === undefined ? undefined : lookupTo(yield* resolve(hostname))
    const answer = yield* send(method, url, yield* headersOf(method, url), lookup)
    const told = firstOf(answer.headers["x-amz-bucket-region"])
    if (answer.status < 300 || told === undefined || told === region || accessKey === undefined) return answer
    region = told
    return yield* send(method, url, yield* headersOf(method, url), lookup)
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
    urlOf: (key: string): string => `${base}/${encodeKey(key)}`,
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
            Size: textIn(element, "Size")
          }))
        }),
        noList
      )
      const isEncoded = textIn(root, "EncodingType") === "url"
      const decodeKey = (key: string) => (isEncoded ? decodeURIComponent(key.replaceAll("+", "%20")) : key)
      const objects = yield* Effect.try({
        try: () =>
          found.Contents.map(({ ETag, Key, Size }) => ({ key: decodeKey(Key), etag: plainTag(ETag), size: Size })),
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
      return { key, etag: plainTag(etag), size } satisfies StoredObject
    })
  }
}
export type Storage = ReturnType<typeof makeStorage>
