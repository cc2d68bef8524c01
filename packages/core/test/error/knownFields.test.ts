import { assert, it } from "@effect/vitest"
import { nearestField } from "../../src/error/knownFields.ts"

it("the nearest field is suggested, not the first that is near", () => {
  const known = ["max_download_threads", "max_insert_threads", "max_threads"]
  assert.strictEqual(nearestField("max_thread", known), "max_threads")
  assert.strictEqual(nearestField("MAX_INSERT_THREADS", known), "max_insert_threads")
  assert.isUndefined(nearestField("concurrency", known))
})
