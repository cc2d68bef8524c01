import { it } from "@effect/vitest"
import { type PipeAddress, PipeCreate, Pipes } from "@headgate/core"
import { PipeMover, StepLength } from "@headgate/core/adapter"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { pipeRequests } from "../fixtures/pipeRequests.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"

const { organizations, services } = fixtureIds

/** The service of the pipes that are moved. */
export const service = { organizationId: organizations.acme, serviceId: services.ingest }

export const decodeRequest = Schema.decodeUnknownSync(PipeCreate)

/** A mover with the warehouse `events`, to which all pipes are bound. */
export const bound = {
  ...PipeMover.defaultValue(),
  warehouses: new Set(["events"]),
  checkDestination: () => Effect.succeed("events")
}

/** A law over the fixture, with pipes that are bound to a warehouse. */
export const lawOf =
  <Ports>(layer: LawsOptions<Ports>["layer"]) =>
  (title: string, body: Effect.Effect<void, unknown, Ports>) =>
    it.live(title, () =>
      Effect.flatMap(fixtureSnapshot, (snapshot) => Effect.provide(body, layer(snapshot, organizations.acme))).pipe(
        // Steps by time would come at once.
        Effect.provideService(StepLength, Duration.millis(1)),
        Effect.provideService(PipeMover, bound)
      )
    )

export const create = Effect.fnUntraced(function* (request: unknown = pipeRequests.kafka) {
  const pipe = yield* Pipes.use((pipes) => pipes.create(service, decodeRequest(request)))
  const address: PipeAddress = { ...service, pipeId: pipe.id }
  return { address, pipe }
})

export const statusOf = (address: PipeAddress) => Pipes.use((pipes) => pipes.status(address))
