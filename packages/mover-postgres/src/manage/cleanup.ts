import type { PipeId } from "@headgate/core"
import { type Cleanup, Cleanups, SourceError } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { PostgresOptions } from "../options/PostgresOptions.ts"
import { releaseSource } from "./releaseSource.ts"

/** What releases a source: how it is reached, and what the pipe has created there. */
const Remains = Schema.fromJsonString(
  Schema.Struct({
    host: Schema.String,
    port: Schema.Int,
    database: Schema.String,
    username: Schema.String,
    password: Schema.String,
    tls: Schema.optionalKey(
      Schema.Struct({
        ca: Schema.optionalKey(Schema.String),
        host: Schema.optionalKey(Schema.String),
        isVerified: Schema.Boolean
      })
    ),
    slot: Schema.optionalKey(Schema.String),
    publication: Schema.optionalKey(Schema.String)
  })
)

const describeRemains = ({ database, host, port, publication, slot }: PostgresOptions): string =>
  `${[
    ...(slot.isOwn ? [`slot ${slot.name}`] : []),
    ...(publication.isOwn ? [`publication ${publication.name}`] : [])
  ].join(" and ")} in database ${database} at ${host}:${port}`

/** What a deleted pipe leaves in its source, as `Cleanups` keep it. */
export const cleanupOf = Effect.fnUntraced(function* (pipeId: PipeId, options: PostgresOptions) {
  const { database, host, password, port, publication, slot, tls, username } = options
  const text = yield* Effect.orDie(
    Schema.encodeEffect(Remains)({
      host,
      port,
      database,
      username,
      password: Redacted.value(password),
      ...(tls === undefined ? {} : { tls }),
      ...(slot.isOwn ? { slot: slot.name } : {}),
      ...(publication.isOwn ? { publication: publication.name } : {})
    })
  )
  const cleanup: Cleanup = {
    pipeId,
    kind: "postgres",
    remains: describeRemains(options),
    source: Redacted.make(text, { label: "source" })
  }
  return cleanup
})

/**
 * Releases the source of a pipe that is deleted. If it cannot be reached, what is left there is kept among the `Cleanups`. Returns
 * whether the source was released.
 */
export const releaseOrKeep = Effect.fn("releaseOrKeep")(function* (pipeId: PipeId, options: PostgresOptions) {
  const cleanups = yield* Cleanups
  return yield* releaseSource(options).pipe(
    Effect.as(true),
    Effect.catchTag(
      "SourceError",
      Effect.fnUntraced(function* ({ message }) {
        yield* cleanups.add(yield* cleanupOf(pipeId, options))
        yield* cleanups.markFailed(pipeId, message)
        return false
      })
    )
  )
})

/** Releases what a deleted pipe has left: for `retryCleanups`, of the kind `postgres`. */
export const releaseRemains = Effect.fn("releaseRemains")(function* (
  { remains, source }: Cleanup,
  connecting: Pick<PostgresOptions, "resolve"> = {}
) {
  const found = yield* Effect.mapError(
    Schema.decodeUnknownEffect(Remains)(Redacted.value(source)),
    // What it holds are secrets.
    () => new SourceError({ message: `the record of ${remains} cannot be read` })
  )
  const { password, publication, slot, ...address } = found
  yield* releaseSource({
    ...address,
    ...connecting,
    password: Redacted.make(password),
    mode: "both",
    slot: { name: slot ?? "", isOwn: slot !== undefined, isFailover: false },
    publication: { name: publication ?? "", isOwn: publication !== undefined },
    tables: [],
    keepsNulls: false,
    rowsPerPart: 0
  })
})
