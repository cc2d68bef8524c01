import { isLinkLocal } from "@headgate/mover"

/** A bucket of a storage, and the pattern of keys in it. */
export interface Bucket {
  /** The address of the bucket, without a slash at its end. */
  readonly base: string
  readonly hostname: string
  readonly pattern: string
}

// No storage has longer keys.
const longestKey = 1024

const address = /^(https?:\/\/[^/?#@\s]+)\/(.+)$/su

// The bucket is the first label of the host. Elsewhere it is the first segment of the path.
const bucketInHost = /^.+\.s3[.-]|^[^.]+\.[^.]+\.digitaloceanspaces\.com$/u

/** The parts of the URL of files, or what is wrong with it. What was given is not repeated: it may hold credentials. */
export const bucketOf = (url: string): Bucket | { readonly refused: string } => {
  const [, origin = "", path = ""] = address.exec(url) ?? []
  if (origin === "" || !URL.canParse(origin)) {
    return { refused: "expected https://HOST/BUCKET/KEYS or http://HOST/BUCKET/KEYS, without credentials" }
  }
  const { hostname } = new URL(origin)
  if (isLinkLocal(hostname)) return { refused: "the address is link-local" }
  const [bucket = "", ...rest] = path.split("/")
  const isInHost = bucketInHost.test(hostname)
  const [base, pattern] = isInHost ? [origin, path] : [`${origin}/${encodeKey(bucket)}`, rest.join("/")]
  if (pattern === "") return { refused: "expected the key of a file, or a pattern of keys, after the bucket" }
  if (/[{}]/u.test(path)) return { refused: "expected no other wildcards than ? * and **, and no { }" }
  if (/[?*]/u.test(isInHost ? origin : bucket)) return { refused: "expected a bucket without wildcards" }
  return Buffer.byteLength(pattern) > longestKey
    ? { refused: `expected keys of at most ${longestKey} bytes` }
    : { base, hostname, pattern }
}

/** A key as the path of a URL. */
export const encodeKey = (key: string): string =>
  key
    .split("/")
    .map((part) =>
      encodeURIComponent(part).replace(/[!'()*]/gu, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    )
    .join("/")

/** The order of keys in storages: by the bytes of UTF-8. */
export const compareKeys = (key: string, other: string): number => Buffer.compare(Buffer.from(key), Buffer.from(other))

/** Whether a key sorts above another one. */
export const isAbove = (key: string, other: string): boolean => compareKeys(key, other) > 0
