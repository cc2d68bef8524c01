import { CannotContinue, ChangeSource, type CopiedTable, resumeBy, SourceError } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Client } from "pg"
import type { PostgresOptions } from "../options/PostgresOptions.ts"
import { connect, type PostgresFailure, query, toSourceError, withConnection } from "../protocol/Connection.ts"
import { type DescribedTable, describeTable } from "../table/describeTable.ts"
import { checkPublished, preparePublication } from "../table/publication.ts"
import { beginSlot, checkSlot } from "../table/slot.ts"
import { followChanges } from "./changes.ts"
import { checkDefinitions, type RecordedTable, recordedTable } from "./checkDefinitions.ts"
import { openSnapshot, splitTable } from "./snapshot.ts"

/** What Postgres says that stays wrong however often it is tried: something that does not exist, or is not permitted. */
const lasting: Readonly<Record<string, string>> = {
  "42501": "its user lacks a privilege",
  "42704": "something that the pipe needs is gone",
  "55000": "the server cannot do it as it is"
}

const toMoveError = (error: PostgresFailure | CannotContinue | SourceError): SourceError | CannotContinue => {
  if (error._tag !== "PostgresFailure") return error
  const reason = lasting[error.code ?? ""]
  return reason === undefined
    ? toSourceError(error)
    : new CannotContinue({ message: `the source Postgres: ${reason}: ${error.message}` })
}

/** Fails for a table that is to be copied without a column that it lacks: renamed, that column would be copied. */
const checkExcluded = (tables: Iterable<DescribedTable>): Effect.Effect<void, CannotContinue> => {
  const message = Array.from(tables).find(({ excludedProblem }) => excludedProblem !== undefined)?.excludedProblem
  return message === undefined ? Effect.void : Effect.fail(new CannotContinue({ message }))
}

const notRecorded = ({ name }: CopiedTable) =>
  new CannotContinue({
    message: `how ${name} was defined when it was copied is not known: an earlier version of Headgate has copied it. To copy it again: headgate pipe resync NAME. If its columns are those that were copied: ${resumeBy({ acceptTable: true })}`
  })

const madeAgain = ({ name }: CopiedTable) =>
  new CannotContinue({
    message: `${name} is no longer the table that was copied: it was made again, or renamed. A resync copies it as it is now`
  })

const make = (options: PostgresOptions): ChangeSource["Service"] => {
  let described: ReadonlyMap<string, DescribedTable> = new Map()

  const connected = <A>(use: (client: Client) => Effect.Effect<A, PostgresFailure | CannotContinue>) =>
    Effect.mapError(withConnection(options, use), toMoveError)

  const identity = Effect.gen(function* () {
    if (options.mode === "snapshot") {
      const [row] = yield* withConnection(options, (client) =>
        query<{ readonly id: string }>(client, "SELECT system_identifier::text AS id FROM pg_control_system()")
      )
      return JSON.stringify([row?.id, options.database])
    }
    const client = yield* connect(options, "replication")
    const [row] = yield* query<{ readonly systemid: string; readonly timeline: string | number }>(
      client,
      "IDENTIFY_SYSTEM"
    )
    return JSON.stringify([row?.systemid, String(row?.timeline), options.database])
  }).pipe(Effect.scoped, Effect.mapError(toSourceError))

  const source: ChangeSource["Service"] = {
    mode: options.mode,
    identity,
    tables: Effect.gen(function* () {
      const found = yield* connected((client) =>
        Effect.forEach(options.tables, (table) => describeTable(client, options, table))
      )
      described = new Map(found.map((table) => [table.source.name, table] as const))
      return found.map(({ source }) => source)
    }),
    begin: connected((client) =>
      checkExcluded(described.values()).pipe(
        Effect.andThen(preparePublication(client, options)),
        Effect.andThen(beginSlot(client, options))
      )
    ),
    resume: (position, copied) =>
      connected((client) =>
        checkSlot(client, options, position).pipe(
          Effect.andThen(
            checkPublished(
              client,
              options,
              Array.from(described.values()).filter(({ source }) => copied.has(source.name))
            )
          ),
          Effect.andThen(preparePublication(client, options))
        )
      ),
    check: Effect.fn("PostgresSource.check")(function* (tables) {
      const recorded: Array<RecordedTable> = []
      for (const copied of tables) {
        const table = recordedTable(copied)
        if (table === undefined) return yield* notRecorded(copied)
        if (table.definition.oid !== described.get(copied.name)?.oid) return yield* madeAgain(copied)
        recorded.push(table)
      }
      return yield* connected((client) => checkDefinitions(client, recorded))
    }),
    split: Effect.fn("PostgresSource.split")(function* ({ name }) {
      const table = described.get(name)
      if (table === undefined) return yield* Effect.die(new Error(`${name} is no table of the source`))
      yield* checkExcluded([table])
      return yield* Effect.mapError(splitTable(options, table), toSourceError)
    }),
    snapshot: Effect.suspend(() => Effect.mapError(openSnapshot(options, described), toSourceError)),
    follow: Effect.fn("PostgresSource.follow")((position, tables) =>
      Effect.mapError(followChanges(options, described, position, tables), toMoveError)
    )
  }
  return source
}

/** Tables of Postgres as a `ChangeSource`. Each connection ends with what uses it. */
export const PostgresSource = {
  make,
  layer: (options: PostgresOptions) => Layer.sync(ChangeSource, () => make(options))
}
