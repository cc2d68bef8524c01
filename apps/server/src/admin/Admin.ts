import { Snapshots } from "@headgate/core"
import type { PipeSimulation, StoredServices } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MutableRef from "effect/MutableRef"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import { RateLimitKeyPrefix } from "../access/RequestLimits.ts"
import { errorBoundary } from "../http/ErrorBoundary.ts"
import { Interceptors } from "../http/Interceptors.ts"
import { type HttpEffect, InFlight, RequestObservers } from "../http/RequestLog.ts"
import type { DocumentReader } from "../store/importDocument.ts"
import { AdminAccess } from "./AdminAccess.ts"
import { makeFaults } from "./Faults.ts"
import { makeJournal } from "./Journal.ts"
import { adminRoutes, isAdmin } from "./adminRoutes.ts"
import { applyFaults, recordRequests } from "./interceptRequests.ts"
import { makeRedactBody } from "./redaction.ts"

/**
 * What `--admin` adds for test suites: `/_admin`, the journal and the faults. A reset restores what the store holds when
 * this layer is built. {@link AdminAccess} says who may use it.
 */
export const layer = (reader: DocumentReader): Layer.Layer<never, never, PipeSimulation | Snapshots | StoredServices> =>
  Layer.effect(
    Interceptors,
    Effect.gen(function* () {
      const context = yield* Effect.context<PipeSimulation | Snapshots | StoredServices | SecureRandom.SecureRandom>()
      const initial = yield* (yield* Snapshots).exportWithSecrets
      const faults = makeFaults()
      const journal = makeJournal()
      const boundary = errorBoundary(yield* RequestObservers, yield* InFlight)
      const admin = boundary(
        Effect.provideContext(adminRoutes({ initial, reader, faults, journal, access: yield* AdminAccess }), context)
      )
      const record = recordRequests(journal)
      return {
        operations: applyFaults(faults, makeRedactBody()),
        requests: (httpEffect: HttpEffect): HttpEffect => {
          const recorded = record(httpEffect)
          return Effect.flatMap(HttpServerRequest, ({ url }) => (isAdmin(url) ? admin : recorded))
        }
      }
    })
  ).pipe(
    Layer.provide(SecureRandom.layerWebCrypto),
    Layer.provideMerge(Layer.sync(RateLimitKeyPrefix, () => MutableRef.make("headgate:")))
  )
