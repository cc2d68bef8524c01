import { PipeSource } from "@headgate/core"
import type { PipeRecord } from "@headgate/core/adapter"
import { ChangeSource, type TablesConnector } from "@headgate/mover"
import * as Effect from "effect/Effect"
import { type MoverContext, orServerError, refuse } from "../pipe/MoverContext.ts"
import { resourcesText } from "../source/Connectors.ts"
import { storedSource } from "../source/sourceConfig.ts"
import { longestProbe, type Probes } from "./Probes.ts"

/**
 * The identity that the source of a pipe reports: `undefined` if the source answered with an error, "silent" if it did not answer in
 * time or the pipe may not connect to it.
 */
const identityOf = ({ allowed }: MoverContext, probes: Probes, connector: TablesConnector, record: PipeRecord) =>
  connector.configure(storedSource(record, allowed)).pipe(
    Effect.flatMap(({ layer }) =>
      Effect.provide(
        ChangeSource.use(({ identity }) => identity),
        layer
      )
    ),
    Effect.map((identity) => ({ identity })),
    Effect.catchTag("SourceError", ({ answered, field }) =>
      Effect.succeed(field === undefined && answered === undefined ? "silent" : undefined)
    ),
    Effect.catchTag("SourceRefused", () => Effect.succeed("silent" as const)),
    // The wait for a permit is not the source's.
    Effect.timeoutOrElse({ duration: longestProbe, orElse: () => Effect.succeed("silent" as const) }),
    probes.withPermit
  )

/**
 * Fails if a pipe would leave what it has made in its source: nobody would remove a slot, which keeps the log for ever. A source
 * that was promoted or restored is the same one, and what an old source has that does not answer cannot be looked at.
 */
export const checkExternalResources = Effect.fnUntraced(function* (
  context: MoverContext,
  probes: Probes,
  connector: TablesConnector,
  record: PipeRecord,
  before: PipeRecord
) {
  const [made, next] = [before, record].map(({ pipe }) => connector.externalResources(pipe.id, pipe.source ?? {}))
  const isSame = made?.names.every((name) => next?.names.includes(name))
  if (made === undefined || (isSame && made.place === next?.place)) return
  const { current } = yield* orServerError(context.store.ledger.state(record.pipe.id))
  // It has made nothing yet.
  if (current === undefined) return
  const [found, old] = yield* Effect.all(
    [record, before].map((one) => identityOf(context, probes, connector, one)),
    { concurrency: 2 }
  )
  const isAnswer = typeof found === "object"
  const identity = isSame && isAnswer ? found.identity : undefined
  if (identity === current.source) return
  if (old === "silent" || (identity !== undefined && connector.isSameServer(current.source, identity))) {
    return yield* Effect.logWarning(
      `pipe ${record.pipe.id}: its source is changed, and the old one cannot be cleaned up: drop ${resourcesText(made)} there by hand`
    )
  }
  const why =
    isSame && !isAnswer
      ? `it does not say which server it is, and if it is another one, the pipe would leave ${resourcesText(made)}: try again when it does`
      : `it is another source, and the pipe would leave ${resourcesText(made)}: create another pipe for it, and delete this one, which removes them`
  return yield* refuse(`source.${PipeSource.kind(record.pipe.source)}`, why)
})
