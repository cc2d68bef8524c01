import { objectSourceLaws } from "@headgate/mover/laws"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { ObjectStorage, type ObjectStorageOptions } from "../src/index.ts"
import { describeStorage, makeBucket } from "./support/storage.ts"

describeStorage("object storage", (storage) => {
  const variants: ReadonlyArray<readonly [string, Partial<ObjectStorageOptions>]> = [
    ["public objects", {}],
    ["objects read with a key", { accessKey: Redacted.make({ accessKeyId: "the-key", secretKey: "the-secret" }) }]
  ]
  for (const [name, options] of variants) {
    objectSourceLaws({
      name,
      make: Effect.gen(function* () {
        const bucket = yield* makeBucket(yield* storage)
        const { source } = yield* ObjectStorage.make({
          url: `${bucket.base}/logs/**.json`,
          format: "JSONEachRow",
          compression: "auto",
          isContinuous: true,
          pollEvery: Duration.millis(10),
          ...options
        })
        return {
          source,
          put: (key: string, rows: ReadonlyArray<string>) => bucket.put(key, rows.join("\n")),
          remove: bucket.remove,
          wait: Effect.sleep("20 millis")
        }
      })
    })
  }
})
