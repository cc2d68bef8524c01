import { suites } from "@headgate/conformance"
import { MemoryAdapter } from "@headgate/memory-adapter"
import * as Layer from "effect/Layer"
import { yieldingPipes } from "../yieldingPipes.ts"
import { brokenCaches } from "./brokenCaches.ts"

for (const [name, cache] of Object.entries(brokenCaches)) {
  suites.pipesLaws.run({
    name,
    layer: (snapshot) => cache.pipe(Layer.provide(yieldingPipes), Layer.provide(MemoryAdapter.layer({ snapshot })))
  })
}
