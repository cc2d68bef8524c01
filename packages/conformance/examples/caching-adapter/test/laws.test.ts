import { portLaws, suites } from "@headgate/conformance"
import { Pipes } from "@headgate/core"
import { MemoryAdapter } from "@headgate/memory-adapter"
import * as Layer from "effect/Layer"
import { CachingPipes } from "../src/CachingPipes.ts"
import { yieldingPipes } from "./yieldingPipes.ts"

const cache = CachingPipes.layer({ timeToLive: "1 hour" })

portLaws([Pipes], {
  name: "a cache over memory",
  layer: (snapshot) => cache.pipe(Layer.provide(MemoryAdapter.layer({ snapshot })))
})

portLaws([Pipes], {
  name: "a cache over a store that yields",
  layer: (snapshot) => cache.pipe(Layer.provide(yieldingPipes), Layer.provide(MemoryAdapter.layer({ snapshot })))
})

// An import changes the store behind the cache.
suites.snapshotsLaws.run({
  name: "a cache over memory",
  layer: (snapshot) => cache.pipe(Layer.provideMerge(MemoryAdapter.layer({ snapshot })))
})
