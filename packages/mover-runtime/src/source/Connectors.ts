import { PipeSource } from "@headgate/core"
import type { Connector, ExternalResources } from "@headgate/mover"
import * as Effect from "effect/Effect"

/** A connector that is loaded when a pipe needs it. */
export interface RegisteredConnector {
  /** Why this process cannot load it. */
  readonly missing?: () => string | undefined
  readonly load: () => Promise<Connector>
}

/** The connectors of the sources whose pipes are moved, by their name in `source` of a pipe. */
export type Connectors = Readonly<Record<string, RegisteredConnector>>

type Source = Parameters<typeof PipeSource.kind>[0]

/** The connector of the source of a pipe, loaded; the failure says why this process cannot move it. */
export const loadConnector = Effect.fnUntraced(function* (connectors: Connectors, source: Source) {
  const kind = PipeSource.kind(source)
  const found = connectors[kind]
  if (found === undefined) {
    return yield* Effect.fail({ message: `pipes from a source of the kind ${kind} are not moved` })
  }
  const missing = found.missing?.()
  return missing === undefined ? yield* Effect.promise(found.load) : yield* Effect.fail({ message: missing })
})

/** The connector of a source whose tables are copied; `undefined` for another one, and for one that cannot be loaded here. */
export const loadTables = (connectors: Connectors, source: Source) =>
  loadConnector(connectors, source).pipe(
    Effect.map((connector) => (connector._tag === "Tables" ? connector : undefined)),
    Effect.orElseSucceed(() => undefined)
  )

/** What a pipe has created in its source, in words: `slot a and publication a in database d at host:5432`. */
export const resourcesText = ({ names, place }: ExternalResources): string => `${names.join(" and ")} in ${place}`
