import type { AccessKey } from "@headgate/mover"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Redacted from "effect/Redacted"
import { createHash, createHmac } from "node:crypto"

/** What is signed besides the key: the method, an address without a fragment, the region of the bucket, and the time. */
export interface SignedRequest {
  readonly method: "GET" | "HEAD"
  readonly url: URL
  readonly region: string
  readonly now: DateTime.DateTime
}

const algorithm = "AWS4-HMAC-SHA256"
const hash = (text: string) => createHash("sha256").update(text).digest("hex")
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest()
const emptyBody = hash("")

/** As RFC 3986 has it: everything but letters, digits and `-_.~`. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/gu, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

const canonicalQuery = (query: URLSearchParams): string =>
  Array.from(query, ([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join("&")

/** The time as it is signed: 20130524T000000Z. */
const timestamp = (now: DateTime.DateTime): string => DateTime.formatIso(now).replaceAll(/[-:]|\.\d+/gu, "")

/**
 * Signs requests to S3 by version 4 of the signatures of AWS, in a header or in the query. The key of a day is kept: a range may have
 * a thousand objects.
 */
export const makeSigner = (accessKey: Redacted.Redacted<AccessKey>) => {
  let kept: { readonly scope: string; readonly key: Buffer } | undefined

  const keyOf = (day: string, region: string) => {
    const scope = `${day}/${region}/s3/aws4_request`
    if (kept?.scope !== scope) {
      const ofDay = hmac(`AWS4${Redacted.value(accessKey).secretKey}`, day)
      kept = { scope, key: [region, "s3", "aws4_request"].reduce(hmac, ofDay) }
    }
    return kept
  }

  const sign = (
    { method, now, region, url }: SignedRequest,
    headers: Readonly<Record<string, string>>,
    body: string,
    query: URLSearchParams
  ) => {
    const time = timestamp(now)
    const { key, scope } = keyOf(time.slice(0, 8), region)
    const names = Object.keys(headers).toSorted()
    const request = [
      method,
      url.pathname,
      canonicalQuery(query),
      ...names.map((name) => `${name}:${headers[name]}`),
      "",
      names.join(";"),
      body
    ].join("\n")
    return hmac(key, [algorithm, time, scope, hash(request)].join("\n")).toString("hex")
  }

  const scopeOf = (now: DateTime.DateTime, region: string) =>
    `${Redacted.value(accessKey).accessKeyId}/${keyOf(timestamp(now).slice(0, 8), region).scope}`

  return {
    /** The headers of a signed request without a body. */
    headers: (request: SignedRequest): Readonly<Record<string, string>> => {
      const { now, region, url } = request
      const sent = { "x-amz-content-sha256": emptyBody, "x-amz-date": timestamp(now) }
      const signature = sign(request, { ...sent, host: url.host }, emptyBody, url.searchParams)
      const signed = "SignedHeaders=host;x-amz-content-sha256;x-amz-date"
      const authorization = `${algorithm} Credential=${scopeOf(now, region)}, ${signed}, Signature=${signature}`
      return { ...sent, authorization }
    },
    /** The address with its signature in the query, which anyone who has it may ask for by this method until it expires. */
    url: (request: SignedRequest, expires: Duration.Duration): URL => {
      const { now, region } = request
      const url = new URL(request.url)
      const query = new URLSearchParams(url.searchParams)
      query.set("X-Amz-Algorithm", algorithm)
      query.set("X-Amz-Credential", scopeOf(now, region))
      query.set("X-Amz-Date", timestamp(now))
      query.set("X-Amz-Expires", String(Duration.toSeconds(expires)))
      query.set("X-Amz-SignedHeaders", "host")
      const signature = sign(request, { host: url.host }, "UNSIGNED-PAYLOAD", query)
      url.search = `${canonicalQuery(query)}&X-Amz-Signature=${signature}`
      return url
    }
  }
}
