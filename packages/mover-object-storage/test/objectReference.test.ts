import { assert, describe, it } from "@effect/vitest"
import type { ObjectAddress } from "@headgate/mover"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { type Bucket, bucketOf } from "../src/key/Bucket.ts"
import type { ObjectStorageOptions } from "../src/options/ObjectStorageOptions.ts"
import { isTrustedStorage } from "../src/storage/isTrustedStorage.ts"
import type { StoredObject } from "../src/storage/objectReference.ts"
import { makeStorage } from "../src/storage/Storage.ts"

const key = { accessKeyId: "the-id-of-the-key", secretKey: "the-5ecret" }
const accessKey = Redacted.make(key)
const stored: StoredObject = { key: "logs/ü{a,b}|?.json", etag: "abc", size: 10 }

const openBucket = (url: string): Bucket => {
  const bucket = bucketOf(url)
  if ("refused" in bucket) throw new Error(bucket.refused)
  return bucket
}

/** How an object of a bucket is read, whose host has these addresses one after the other. */
const referred = (
  url: string,
  options: Partial<ObjectStorageOptions> = {},
  object: StoredObject = stored,
  addresses: ReadonlyArray<string> = ["10.1.2.3"]
) => {
  let asked = 0
  const resolve = () => Effect.sync(() => addresses[Math.min(asked++, addresses.length - 1)] ?? "")
  const common = { format: "JSONEachRow", compression: "none" } as const
  return makeStorage(openBucket(url), { ...options, resolve }).refer(object, { ...common, ...options })
}

const addressOf = (...parameters: Parameters<typeof referred>) => {
  const found = referred(...parameters)
  return found._tag === "Read" ? found.object.address : Effect.die(found.reason)
}

const urlOf = (at: ObjectAddress): URL => new URL(at._tag === "Url" ? Redacted.value(at.url) : at.url)

describe("the address of an object", () => {
  it.effect("over http is the one that was checked, and the name of the host is sent with it", () =>
    Effect.gen(function* () {
      const at = yield* addressOf("http://storage.example.com:9000/bucket/**")
      if (at._tag !== "Url") return assert.fail("expected url()")
      assert.strictEqual(Redacted.value(at.url), "http://10.1.2.3:9000/bucket/logs/%C3%BC%7Ba%2Cb%7D%7C%3F.json")
      assert.deepStrictEqual(at.headers, { "If-Match": '"abc"', Host: "storage.example.com:9000" })
      assert.isFalse(at.isSigned)
      const v6 = yield* addressOf("http://storage.example.com/bucket/**", {}, stored, ["fd00::1"])
      assert.strictEqual(urlOf(v6).hostname, "[fd00::1]")
      assert.notInclude(JSON.stringify(at), "10.1.2.3")
    })
  )

  it.effect("over https is the name, which the certificate is for", () =>
    Effect.gen(function* () {
      const at = yield* addressOf("https://storage.example.com/bucket/**")
      assert.strictEqual(urlOf(at).host, "storage.example.com")
      assert.deepStrictEqual(at._tag === "Url" ? at.headers : {}, { "If-Match": '"abc"' })
    })
  )

  it.effect("is checked and signed anew for each statement, and has no key", () =>
    Effect.gen(function* () {
      const address = addressOf("http://storage.example.com/bucket/**", { accessKey }, stored, ["10.0.0.1", "10.0.0.2"])
      const first = yield* address
      yield* TestClock.adjust(Duration.minutes(2))
      const second = yield* address
      assert.deepStrictEqual([urlOf(first).hostname, urlOf(second).hostname], ["10.0.0.1", "10.0.0.2"])
      assert.isTrue(first._tag === "Url" && first.isSigned)
      const [before, after] = [first, second].map((at) => urlOf(at).searchParams.get("X-Amz-Date"))
      assert.notStrictEqual(before, after)
      assert.notInclude(urlOf(first).href, "5ecret")
    })
  )

  it.effect("has no version where its ETag is weak, or no tag of HTTP", () =>
    Effect.gen(function* () {
      for (const change of [{ isWeak: true }, { etag: 'a"\r\nHost: b' }, { etag: "" }]) {
        const at = yield* addressOf("https://storage.example.com/bucket/**", {}, { ...stored, ...change })
        assert.deepStrictEqual(at._tag === "Url" ? at.headers : undefined, {})
      }
    })
  )

  it.effect("with the key is for Parquet at hosts that no user controls", () =>
    Effect.gen(function* () {
      const cloud = "https://s3.eu-central-1.amazonaws.com/bucket/**"
      const own = "http://minio.internal:9000/bucket/**"
      const parquet = { accessKey, format: "Parquet" } as const
      assert.strictEqual((yield* addressOf(cloud, parquet))._tag, "S3")
      assert.strictEqual((yield* addressOf(cloud, { format: "Parquet" }))._tag, "Url")
      assert.strictEqual((yield* addressOf(own, parquet))._tag, "Url")
      assert.strictEqual((yield* addressOf(own, { ...parquet, trustedHosts: ["minio.internal"] }))._tag, "S3")
      // What is not read in parts.
      assert.strictEqual((yield* addressOf(cloud, { accessKey }))._tag, "Url")
    })
  )
})

describe("an object that cannot be read", () => {
  it("is Parquet above 64 MiB that needs a key, at a host that users may control", () => {
    const url = "https://storage.example.com/bucket/**"
    const large = { ...stored, key: "logs/large.parquet", size: 64 * 1024 * 1024 + 1 }
    const found = referred(url, { accessKey, format: "Parquet" }, large)
    if (found._tag !== "Refused") return assert.fail("it was read")
    for (const part of ["source.objectStorage.format", "logs/large.parquet", "--trust-storage storage.example.com"]) {
      assert.include(found.reason, part)
    }
    const read = [
      referred(url, { accessKey, format: "Parquet" }, { ...large, size: large.size - 1 }),
      referred(url, { accessKey, format: "Parquet", trustedHosts: ["storage.example.com"] }, large),
      referred(url, { format: "Parquet" }, large),
      referred(url, { accessKey }, large)
    ]
    assert.deepStrictEqual(
      read.map(({ _tag }) => _tag),
      ["Read", "Read", "Read", "Read"]
    )
  })

  it("has a part of its key that a URL leaves out", () => {
    for (const name of ["a/../b", "./a", ".."]) {
      assert.strictEqual(referred("https://a.example.com/b/**", {}, { ...stored, key: name })._tag, "Refused", name)
    }
    assert.strictEqual(referred("https://a.example.com/b/**", {}, { ...stored, key: "a/..b/.c" })._tag, "Read")
  })
})

describe("a storage that no user controls", () => {
  const isTrusted = (url: string) => isTrustedStorage(new URL(url))

  it("is an endpoint of a cloud over https", () => {
    for (const host of [
      "s3.amazonaws.com",
      "bucket.s3.amazonaws.com",
      "s3.eu-central-1.amazonaws.com",
      "s3-eu-west-1.amazonaws.com",
      "my.bucket.s3.us-gov-west-1.amazonaws.com",
      "s3.dualstack.us-east-1.amazonaws.com",
      "s3-fips.us-east-1.amazonaws.com",
      "s3.cn-north-1.amazonaws.com.cn",
      "fra1.digitaloceanspaces.com",
      "bucket.fra1.digitaloceanspaces.com",
      "0123456789abcdef0123456789abcdef.r2.cloudflarestorage.com",
      "0123456789abcdef0123456789abcdef.eu.r2.cloudflarestorage.com",
      "s3.gra.io.cloud.ovh.net",
      "bucket.s3.gra.perf.cloud.ovh.net"
    ]) {
      assert.isTrue(isTrusted(`https://${host}/bucket/key`), host)
      assert.isFalse(isTrusted(`http://${host}/bucket/key`), host)
      assert.isFalse(isTrusted(`https://${host}:8443/bucket/key`), host)
      assert.isFalse(isTrusted(`https://${host}.example.com/bucket/key`), host)
      assert.isFalse(isTrusted(`https://x${host.replaceAll(".", "-")}.example.com/bucket/key`), host)
    }
  })

  it("is none at which a caller says what is answered", () => {
    for (const host of [
      "bucket.s3-website-us-east-1.amazonaws.com",
      "bucket.s3-website.eu-central-1.amazonaws.com",
      "lambda-123.s3-object-lambda.us-east-1.amazonaws.com",
      "alias--ol-s3.s3.us-east-1.amazonaws.com",
      "x.execute-api.us-east-1.amazonaws.com",
      "ec2-1-2-3-4.compute-1.amazonaws.com",
      "evils3.amazonaws.com",
      "bucket.fra1.cdn.digitaloceanspaces.com",
      "pub-0123.r2.dev",
      "evilr2.cloudflarestorage.com",
      "169.254.169.254"
    ]) {
      assert.isFalse(isTrusted(`https://${host}/bucket/key`), host)
    }
    for (const path of [
      "alias--ol-s3/key",
      "arn:aws:s3-object-lambda:us-east-1:123456789012:accesspoint/name",
      "arn%3Aaws%3As3-object-lambda%3Aus-east-1%3A123456789012%3Aaccesspoint%2Fname/key",
      "arn%253aaws/key",
      "alias%2D-ol-s3/key",
      "/arn:aws/key",
      "bucket/%2e%2e/arn:aws/key"
    ]) {
      for (const host of [
        "s3.us-east-1.amazonaws.com",
        "s3-fips.dualstack.us-east-1.amazonaws.com",
        "s3.amazonaws.com"
      ]) {
        assert.isFalse(isTrusted(`https://${host}/${path}`), path)
      }
    }
    for (const url of [
      "https://s3.us-east-1.amazonaws.com/my.bucket_1-x/a:b%3A",
      "https://bucket.s3.us-east-1.amazonaws.com/day=2026:01/key"
    ]) {
      assert.isTrue(isTrusted(url), url)
    }
  })
})
