import { assert, describe, it } from "@effect/vitest"
import type { ObjectStorageSource } from "@headgate/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { bucketOf } from "../src/key/Bucket.ts"
import { objectStorageOptionsOf } from "../src/index.ts"

const url = "https://s3.eu-central-1.amazonaws.com/bucket/logs/**/*.json"
const source: ObjectStorageSource = { type: "s3", format: "JSONEachRow", url }
const accessKey = Redacted.make({ accessKeyId: "the-key", secretKey: "the-secret" })

describe("objectStorageOptionsOf", () => {
  it.effect("reads public files once, and takes the compression from their names", () =>
    Effect.gen(function* () {
      const expected = { url, format: "JSONEachRow", compression: "auto", isContinuous: false }
      assert.deepStrictEqual(yield* objectStorageOptionsOf(source), expected)
      // Official clients send empty texts for fields that are not used.
      const empty = {
        queueUrl: "",
        iamRole: "",
        path: "",
        compression: "",
        delimiter: "",
        startAfter: "",
        authentication: ""
      }
      assert.deepStrictEqual(yield* objectStorageOptionsOf({ ...source, ...empty, skipInitialLoad: false }), expected)
    })
  )

  it.effect("takes what a pipe may ask for", () =>
    Effect.gen(function* () {
      const options = yield* objectStorageOptionsOf(
        {
          ...source,
          type: "cloudflarer2",
          format: "CSVWithNames",
          compression: "LZMA",
          delimiter: ";",
          isContinuous: true,
          startAfter: "logs/2025",
          authentication: "IAM_USER"
        },
        { accessKey, pollingIntervalMs: 5000 }
      )
      const { accessKey: key, pollEvery, ...rest } = options
      assert.deepStrictEqual(rest, {
        url,
        format: "CSVWithNames",
        compression: "xz",
        isContinuous: true,
        delimiter: ";",
        startAfter: "logs/2025"
      })
      assert.deepStrictEqual(key && Redacted.value(key), Redacted.value(accessKey))
      assert.strictEqual(pollEvery && Duration.toMillis(pollEvery), 5000)
      assert.notInclude(JSON.stringify(options), "the-secret")
    })
  )

  const refused: ReadonlyArray<readonly [string, Partial<ObjectStorageSource>]> = [
    ["type", { type: "gcs" }],
    ["type", { type: "azureblobstorage" }],
    ["format", { format: "Avro" }],
    ["format", { format: "JSONAsObject" }],
    ["authentication", { authentication: "IAM_ROLE" }],
    ["iamRole", { iamRole: "arn:aws:iam::1:role/a" }],
    ["accessKey", { authentication: "IAM_USER" }],
    ["queueUrl", { queueUrl: "https://sqs.eu-central-1.amazonaws.com/1/q" }],
    ["skipInitialLoad", { skipInitialLoad: true }],
    ["connectionString", { connectionString: Redacted.make("AccountKey=a") }],
    ["compression", { compression: "rar" }],
    ["delimiter", { delimiter: "||" }],
    ["url", { url: "s3://bucket/logs/*.json" }],
    ["url", { url: "file:///etc/passwd" }],
    ["url", { url: "https://user:password@s3.amazonaws.com/bucket/a.json" }],
    ["url", { url: "https://s3.amazonaws.com/bucket" }],
    ["url", { url: "https://s3.amazonaws.com/buc*et/a.json" }],
    ["url", { url: "https://s3.amazonaws.com/bucket/{a,b}.json" }],
    ["url", { url: "http://169.254.169.254/latest/meta-data" }],
    ["url", { url: "http://2852039166/latest/meta-data" }],
    ["url", { url: "http://[fe80::1]/bucket/a.json" }],
    ["url", { url: "http://[::ffff:169.254.169.254]/bucket/a.json" }],
    ["url", { url: `https://s3.amazonaws.com/bucket/${"a".repeat(1025)}` }]
  ]
  for (const [field, change] of refused) {
    it.effect(`refuses ${JSON.stringify(change).slice(0, 80)} and names ${field}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(objectStorageOptionsOf({ ...source, ...change }))
        assert.strictEqual(error.path, `source.objectStorage.${field}`)
        assert.isAbove(error.message.length, 10)
        assert.notInclude(error.message, "password")
      })
    )
  }
})

describe("bucketOf", () => {
  const cases: ReadonlyArray<readonly [string, string, string]> = [
    [
      "https://s3.eu-central-1.amazonaws.com/bucket/a/*.json",
      "https://s3.eu-central-1.amazonaws.com/bucket",
      "a/*.json"
    ],
    [
      "https://bucket.s3.eu-central-1.amazonaws.com/a/?.json",
      "https://bucket.s3.eu-central-1.amazonaws.com",
      "a/?.json"
    ],
    ["https://my.bucket.s3.amazonaws.com/a#b.json", "https://my.bucket.s3.amazonaws.com", "a#b.json"],
    ["https://bucket.nyc3.digitaloceanspaces.com/a.json", "https://bucket.nyc3.digitaloceanspaces.com", "a.json"],
    ["https://nyc3.digitaloceanspaces.com/bucket/a.json", "https://nyc3.digitaloceanspaces.com/bucket", "a.json"],
    ["https://1234.r2.cloudflarestorage.com/bucket/**", "https://1234.r2.cloudflarestorage.com/bucket", "**"],
    ["https://s3.gra.io.cloud.ovh.net/bucket/a.json", "https://s3.gra.io.cloud.ovh.net/bucket", "a.json"],
    ["http://127.0.0.1:9000/bucket/a b/*.csv", "http://127.0.0.1:9000/bucket", "a b/*.csv"]
  ]
  for (const [address, base, pattern] of cases) {
    it(`${address} is split`, () => {
      const bucket = bucketOf(address)
      if ("refused" in bucket) return assert.fail(bucket.refused)
      assert.deepStrictEqual([bucket.base, bucket.pattern], [base, pattern])
    })
  }
})
