import * as NodeRedis from "@effect/platform-node/NodeRedis"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as RateLimiter from "effect/persistence/RateLimiter"

/** Rate limits in Redis. */
export const redisRateLimiterStore = (url: Redacted.Redacted) =>
  RateLimiter.layerStoreRedis({ prefix: "headgate:" }).pipe(
    // The client logs what Redis answers, which may quote what was sent. Failures are logged by the rate limits.
    Layer.provide(Layer.provide(NodeRedis.layer({ url: Redacted.value(url) }), Logger.layer([])))
  )
