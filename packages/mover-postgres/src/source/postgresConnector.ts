import { noPipe, readLogin, type SourceConfig, SourceRefused, type TablesConnector } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { copyOptionsOf, postgresOptionsOf } from "../options/postgresOptionsOf.ts"
import { checkSource, externalResources, releaseSource, retainedLog } from "./manageSource.ts"
import { PostgresSource } from "./PostgresSource.ts"

const optionsOf = Effect.fnUntraced(function* ({ allowed, credentials, pipeId, source }: SourceConfig) {
  const login = yield* readLogin(credentials, "postgres.credentials")
  const options = yield* postgresOptionsOf(source.postgres ?? {}, { ...login, pipeId })
  const message = allowed.refusal(options.host)
  if (message !== undefined) return yield* new SourceRefused({ path: "source.postgres.host", message })
  return { ...options, resolve: allowed.resolve }
})

const decodeIdentity = Schema.decodeOption(Schema.fromJsonString(Schema.Array(Schema.String)))

/** The system identifier and the database of an identity: the timeline between them is another one after a promotion. */
const serverOf = (identity: string) => Option.map(decodeIdentity(identity), (parts) => `${parts.at(0)}/${parts.at(-1)}`)

/** Tables of Postgres. */
export const postgresConnector: TablesConnector = {
  _tag: "Tables",
  configure: Effect.fnUntraced(function* (config) {
    const options = yield* optionsOf(config)
    return {
      _tag: "Tables",
      layer: PostgresSource.layer(options),
      probe: Effect.map(checkSource(options, config.pipeId === noPipe), (problems) =>
        problems.map(({ field, problem, statement }) => {
          const message = statement === undefined ? problem : `${problem}. Run: ${statement}`
          return new SourceRefused({ path: `source.postgres.${field}`, message })
        })
      ),
      copyLimits: (most) => copyOptionsOf(config.source.postgres ?? {}, most),
      ...(options.mode === "snapshot" ? {} : { retainedLog: retainedLog(options) }),
      release: releaseSource(options)
    }
  }),
  isSameServer: (one, other) => {
    const server = serverOf(one)
    return Option.isSome(server) && Equal.equals(server, serverOf(other))
  },
  targetTables: ({ postgres }) =>
    (postgres?.tableMappings ?? []).flatMap(({ targetTable }) =>
      typeof targetTable === "string" ? [targetTable] : []
    ),
  externalResources: (pipeId, { postgres }) => (postgres ? externalResources(pipeId, postgres) : undefined)
}
