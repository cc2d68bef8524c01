// A storage in a process of its own, so that its CPU time does not count. Arguments: its access key, if only that one may read. It sends
// its URL, and answers each message with how many bytes of objects it has sent.
import { startStorageDouble } from "@headgate/harness/StorageDouble"
import * as Effect from "effect/Effect"

const [, , accessKeyId, secretKey] = process.argv
const key = accessKeyId === undefined || secretKey === undefined ? {} : { key: { accessKeyId, secretKey } }

await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const storage = yield* startStorageDouble(key)
      process.on("message", () => process.send?.(storage.bytesSent()))
      process.send?.(storage.url)
      yield* Effect.never
    })
  )
)
