// Checks signatures of requests to S3 (AWS, version 4), from what was received. It shares no code with what signs.
import { createHash, createHmac } from "node:crypto"
import type { IncomingMessage } from "node:http"

/** The key that a storage knows. */
export interface StorageKey {
  readonly accessKeyId: string
  readonly secretKey: string
  readonly region?: string
}

const sha256 = (text: string) => createHash("sha256").update(text, "utf8").digest("hex")

/** Percent-encodes what was decoded, as the canonical request has it. */
const uriEncode = (text: string) =>
  Array.from(Buffer.from(text, "utf8"), (byte) => {
    const letter = String.fromCharCode(byte)
    return /[A-Za-z0-9\-._~]/u.test(letter) ? letter : `%${byte.toString(16).padStart(2, "0").toUpperCase()}`
  }).join("")

const authorizationOf = (text: string) => {
  const [, credential, signed, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([\da-f]+)$/u.exec(text) ?? []
  return credential === undefined ? undefined : { credential, signed: signed ?? "", signature: signature ?? "" }
}

/** What a request says about its signature, in its header or its query; `undefined` if it has none. */
const claimOf = (request: IncomingMessage, query: URLSearchParams) => {
  const { authorization, "x-amz-content-sha256": body, "x-amz-date": date } = request.headers
  if (authorization !== undefined) {
    const claim = authorizationOf(authorization)
    return { form: "header", time: String(date), body: String(body), expires: 900, ...claim } as const
  }
  const signature = query.get("X-Amz-Signature")
  if (signature === null) return undefined
  return {
    form: "query",
    time: query.get("X-Amz-Date") ?? "",
    body: "UNSIGNED-PAYLOAD",
    expires: Number(query.get("X-Amz-Expires")),
    credential: query.get("X-Amz-Credential") ?? "",
    signed: query.get("X-Amz-SignedHeaders") ?? "",
    signature
  } as const
}

/** How a request is signed, and what is wrong with that. */
export interface Verified {
  readonly form: "none" | "header" | "query"
  readonly problem: string | undefined
}

/** Checks method, path, query, headers and the time of a request against its signature. */
export const verifySignature = (request: IncomingMessage, key: StorageKey, now = new Date()): Verified => {
  const [path = "/", search = ""] = (request.url ?? "/").split("?")
  const query = new URLSearchParams(search.replaceAll("+", "%2B"))
  const claim = claimOf(request, query)
  if (claim === undefined) return { form: "none", problem: "not signed" }
  const { body, credential = "", expires, form, signature, signed = "", time } = claim
  const [id, day = "", region = "", service = "", end = ""] = credential.split("/")
  const wrong = (problem: string): Verified => ({ form, problem })
  if (id !== key.accessKeyId) return wrong("InvalidAccessKeyId")
  if (service !== "s3" || end !== "aws4_request" || !time.startsWith(day)) return wrong("wrong scope")
  if (key.region !== undefined && region !== key.region) return wrong("AuthorizationHeaderMalformed")
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/u.exec(time) ?? []
  const age = (now.getTime() - Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`)) / 1000
  if (!(age > -900 && age < expires)) return wrong("Request has expired")
  const names = signed.split(";")
  if (!names.includes("host")) return wrong("the host is not signed")
  const pairs = Array.from(query).filter(([name]) => name !== "X-Amz-Signature")
  const canonical = [
    request.method,
    path
      .split("/")
      .map((part) => uriEncode(decodeURIComponent(part)))
      .join("/"),
    pairs
      .map(([name, value]) => `${uriEncode(name)}=${uriEncode(value)}`)
      .toSorted()
      .join("&"),
    names.map((name) => `${name}:${String(request.headers[name] ?? "").trim()}\n`).join(""),
    signed,
    body
  ].join("\n")
  const text = `AWS4-HMAC-SHA256\n${time}\n${day}/${region}/s3/aws4_request\n${sha256(canonical)}`
  let secret: Buffer = Buffer.from(`AWS4${key.secretKey}`)
  for (const part of [day, region, "s3", "aws4_request"]) secret = createHmac("sha256", secret).update(part).digest()
  const expected = createHmac("sha256", secret).update(text).digest("hex")
  return expected === signature ? { form, problem: undefined } : wrong("SignatureDoesNotMatch")
}
