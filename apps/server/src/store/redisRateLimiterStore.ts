import * as NodeRedis from "@effect/platform-node/NodeRedis"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as RateLimiter from "effect/persistence/RateLimiter"

/** Rate windows kept in Redis, for servers that share them. Imported where there is one: the client is large. */
export const redisWindows = (url: Redacted.Redacted) =>
  RateLimiter.layerStoreRedis({ prefix: "headgate:" }).pipe(
    // Its own log tells what Redis answers, which may be what was sent: what fails is told by whoever asked.
    Layer.provide(Layer.provide(NodeRedis.layer({ url: Redacted.value(url) }), Logger.layer([])))
  )
