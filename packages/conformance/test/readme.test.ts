import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"

const read = (path: string) => readFileSync(join(import.meta.dirname, "..", path), "utf8")

it("the README shows the adapter that caches as it is", () => {
  assert.include(read("README.md"), read("examples/caching-adapter/src/CachingPipes.ts"))
})
