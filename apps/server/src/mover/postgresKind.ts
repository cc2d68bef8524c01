import type { PipeId } from "@headgate/core"
import {
  checkSource,
  copyOptionsOf,
  findRemains,
  postgresOptionsOf,
  PostgresSource,
  releaseSource,
  retainedLog
} from "@headgate/mover-postgres"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AllowedSources } from "./allowedSources.ts"
import { noPipe, readLogin, type ReadSource, SourceRefused, type TablesKind } from "./SourceKind.ts"

const optionsOf = Effect.fnUntraced(function* (
  pipeId: PipeId,
  { credentials, source }: ReadSource,
  { refusal, resolve }: AllowedSources
) {
  const login = yield* readLogin(credentials, "postgres.credentials")
  const options = yield* postgresOptionsOf(source.postgres ?? {}, { ...login, pipeId }).pipe(
    Effect.mapError(({ field, message }) => new SourceRefused({ path: `source.postgres.${field}`, message }))
  )
  const message = refusal(options.host)
  if (message !== undefined) return yield* new SourceRefused({ path: "source.postgres.host", message })
  return { ...options, resolve }
})

const decodeIdentity = Schema.decodeOption(Schema.fromJsonString(Schema.Array(Schema.String)))

/** The system identifier and the database of an identity: the timeline between them is another one after a promotion. */
const serverOf = (identity: string) => Option.map(decodeIdentity(identity), (parts) => `${parts.at(0)}/${parts.at(-1)}`)

/** Tables of Postgres. */
export const postgresKind: TablesKind = {
  check: (read, allowed) => Effect.asVoid(optionsOf(noPipe, read, allowed)),
  probe: Effect.fnUntraced(function* (pipeId, read, allowed) {
    const problems = yield* checkSource(yield* optionsOf(pipeId, read, allowed), pipeId === noPipe)
    return problems.map(({ field, problem, statement }) => {
      const message = statement === undefined ? problem : `${problem}. Run: ${statement}`
      return new SourceRefused({ path: `source.postgres.${field}`, message })
    })
  }),
  tables: (pipeId, read, allowed) => Layer.unwrap(Effect.map(optionsOf(pipeId, read, allowed), PostgresSource.layer)),
  copyOptions: ({ source }, most) => copyOptionsOf(source.postgres ?? {}, most),
  retainedLog: Effect.fnUntraced(function* (pipeId, read, allowed) {
    const options = yield* optionsOf(pipeId, read, allowed)
    return options.mode === "snapshot" ? undefined : yield* retainedLog(options)
  }),
  isSameServer: (one, other) => {
    const server = serverOf(one)
    return Option.isSome(server) && Equal.equals(server, serverOf(other))
  },
  remains: (pipeId, { postgres }) => (postgres ? findRemains(pipeId, postgres) : undefined),
  release: (pipeId, read, allowed) => Effect.flatMap(optionsOf(pipeId, read, allowed), releaseSource)
}
