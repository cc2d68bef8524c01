import type { PipeId } from "@headgate/core"
import type { PipeCredentials } from "@headgate/core/adapter"
import { SourceError } from "@headgate/mover"
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
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { AllowedSources } from "./allowedSources.ts"
import { noPipe, type ReadSource, SourceRefused, type TablesKind } from "./SourceKind.ts"

const Login = Schema.Struct({
  username: Schema.optionalKey(Schema.NullOr(Schema.String)),
  password: Schema.optionalKey(Schema.NullOr(Schema.String))
})

const loginOf = (credentials: PipeCredentials) => {
  const stored = credentials["postgres.credentials"]
  if (stored === undefined) return Effect.succeed({})
  return Schema.decodeUnknownEffect(Login)(Redacted.value(stored)).pipe(
    Effect.map((login) => ({ credentials: Redacted.make(login) })),
    // The error of a schema would show the credentials.
    Effect.mapError(
      () => new SourceRefused({ path: "source.postgres.credentials", message: "Expected a username and a password" })
    )
  )
}

const resolved = (resolve: AllowedSources["resolve"]) => (host: string) =>
  Effect.mapError(resolve(host), ({ message }) => new SourceError({ message }))

const optionsOf = Effect.fnUntraced(function* (
  pipeId: PipeId,
  { credentials, source }: ReadSource,
  { refusal, resolve }: AllowedSources
) {
  const login = yield* loginOf(credentials)
  const options = yield* postgresOptionsOf(source.postgres ?? {}, { ...login, pipeId }).pipe(
    Effect.mapError(({ field, message }) => new SourceRefused({ path: `source.postgres.${field}`, message }))
  )
  const message = refusal(options.host)
  if (message !== undefined) return yield* new SourceRefused({ path: "source.postgres.host", message })
  return {
    ...options,
    resolve: resolved(resolve)
  }
})

/** Tables of Postgres. */
export const postgresKind: TablesKind = {
  check: (read, allowed) => Effect.asVoid(optionsOf(noPipe, read, allowed)),
  probe: Effect.fnUntraced(function* (pipeId, read, allowed) {
    const problems = yield* checkSource(yield* optionsOf(pipeId, read, allowed))
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
  remains: (pipeId, { postgres }) => (postgres ? findRemains(pipeId, postgres) : undefined),
  release: (pipeId, read, allowed) => Effect.flatMap(optionsOf(pipeId, read, allowed), releaseSource)
}
