import { assert, describe, it } from "@effect/vitest"
import { AwsV4Signer } from "aws4fetch"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { encodeKey } from "../src/key/Bucket.ts"
import { makeSigner } from "../src/storage/signV4.ts"

// The key of the examples of AWS ("Authenticating Requests", API reference of S3).
const accessKey = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" }
const signer = makeSigner(Redacted.make(accessKey))
const now = DateTime.makeUnsafe("2013-05-24T00:00:00Z")
const region = "us-east-1"
const signatureOf = (headers: Readonly<Record<string, string>>) => headers["authorization"]?.split("Signature=")[1]

const oddKeys = [" ü+%25&=#?;'\"\\*{a,b}::x|(1)", "a//b", "/a", "a~b-._", "日本/é", "a+b c", "%2e%2e", "x".repeat(500)]

describe("a signature", () => {
  it("in the query is that of AWS's example", () => {
    const url = new URL("https://examplebucket.s3.amazonaws.com/test.txt")
    const signed = signer.url({ method: "GET", url, region, now }, Duration.seconds(86_400))
    assert.strictEqual(
      signed.href,
      "https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
    )
  })

  for (const [query, expected] of [
    ["lifecycle", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"],
    ["max-keys=2&prefix=J", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"]
  ] as const) {
    it(`in a header is that of AWS's example: ${query}`, () => {
      const url = new URL(`https://examplebucket.s3.amazonaws.com/?${query}`)
      assert.strictEqual(signatureOf(signer.headers({ method: "GET", url, region, now })), expected)
    })
  }

  it.effect("of any key, port and region is that of aws4fetch, in both forms", () =>
    Effect.gen(function* () {
      for (const [index, key] of oddKeys.entries()) {
        for (const method of ["GET", "HEAD"] as const) {
          const url = new URL(`http://storage.example.com:9000/bucket/${encodeKey(key)}`)
          const request = { method, url, region: `eu-west-${index}`, now }
          const oracle = {
            method,
            url: url.href,
            accessKeyId: accessKey.accessKeyId,
            secretAccessKey: accessKey.secretKey,
            service: "s3",
            region: request.region,
            datetime: "20130524T000000Z"
          }
          const inQuery = new AwsV4Signer({ ...oracle, url: `${url.href}?X-Amz-Expires=4200`, signQuery: true })
          const expected = (yield* Effect.promise(() => inQuery.sign())).url.searchParams
          const found = signer.url(request, Duration.minutes(70)).searchParams
          assert.deepStrictEqual(Object.fromEntries(found), Object.fromEntries(expected), `${method} ${key}`)
          const sent = signer.headers(request)
          const body = { "X-Amz-Content-Sha256": sent["x-amz-content-sha256"] ?? "" }
          const inHeader = new AwsV4Signer({ ...oracle, headers: body })
          const { headers } = yield* Effect.promise(() => inHeader.sign())
          assert.strictEqual(signatureOf(sent), signatureOf(Object.fromEntries(headers)), `${method} ${key}`)
        }
      }
    })
  )

  it.effect("of a list is that of its query as the storage reads it", () =>
    Effect.gen(function* () {
      const url = new URL("http://127.0.0.1:9000/bucket/")
      const query = { prefix: "a b~*/é+", "start-after": "%", "list-type": "2" }
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      url.search = url.search.replaceAll("+", "%20")
      const sent = signer.headers({ method: "GET", url, region, now })
      const oracle = new AwsV4Signer({
        url: url.href,
        accessKeyId: accessKey.accessKeyId,
        secretAccessKey: accessKey.secretKey,
        service: "s3",
        region,
        datetime: "20130524T000000Z",
        headers: { "X-Amz-Content-Sha256": sent["x-amz-content-sha256"] ?? "" }
      })
      const { headers } = yield* Effect.promise(() => oracle.sign())
      assert.strictEqual(signatureOf(sent), signatureOf(Object.fromEntries(headers)))
    })
  )
})
