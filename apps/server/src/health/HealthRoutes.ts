import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import { Shutdown } from "../http/Shutdown.ts"
import { StoreProbe } from "./StoreProbe.ts"

const status = (status: string) => HttpServerResponse.jsonUnsafe({ status })

const notReady = (status: string) => HttpServerResponse.jsonUnsafe({ status }, { status: 503 })

const alive = HttpRouter.add("GET", "/healthz", Effect.succeed(status("ok")))

const ready = Layer.unwrap(
  Effect.gen(function* () {
    const shutdown = yield* Shutdown
    const storeAnswers = yield* StoreProbe
    return HttpRouter.add(
      "GET",
      "/readyz",
      Effect.suspend(() =>
        shutdown.hasBegun()
          ? Effect.succeed(notReady("ending"))
          : Effect.map(storeAnswers, (answers) => (answers ? status("ready") : notReady("the store does not answer")))
      )
    )
  })
)

/**
 * For whoever restarts or balances servers, without credentials: `/healthz` answers while the process can answer at all,
 * `/readyz` while requests should be sent to it: its store answers, and it is not on its way out.
 */
export const layer = Layer.merge(alive, ready)
