import * as Effect from "effect/Effect"
import { TracerEnabled } from "effect/References"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Statement } from "effect/sql/Statement"
import { sqliteDrivers } from "./SqliteConnection.ts"

/**
 * A SELECT whose parameters are the arguments, in their order; it returns the first row.
 *
 * Every request reads a key and most read a document. Over `NodeSqlite` such a read calls SQLite directly, unless traces
 * are collected or a transaction is open on the connection. Measured: 10 us for a document, 25 us through `effect/sql`.
 */
export const makePointRead = <Row extends object>(
  sql: SqlClient,
  select: (...params: ReadonlyArray<string>) => Statement<Row>
): ((...params: ReadonlyArray<string>) => Effect.Effect<Row | undefined, SqlError>) => {
  const driver = sqliteDrivers.get(sql)
  const throughClient = (params: ReadonlyArray<string>) => Effect.map(select(...params), ([row]) => row)
  if (driver === undefined) return (...params) => throughClient(params)
  const [text] = select(...Array.from({ length: select.length }, () => "")).compile()
  return (...params) =>
    Effect.withFiber(
      (fiber) =>
        fiber.getRef(TracerEnabled) || driver.isTransaction()
          ? throughClient(params)
          : (driver.readFirst(text, params) as ReturnType<typeof throughClient>) // it is the same SELECT
    )
}
