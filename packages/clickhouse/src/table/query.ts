import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ClickHouse } from "../connection/ClickHouse.ts"
import { EngineFailure } from "../connection/EngineFailure.ts"

const unexpected = () =>
  new EngineFailure({ code: undefined, message: "the warehouse answered something else than was asked for" })

/** Runs a query whose rows have these fields. Values are parameters, `{name:String}` in the statement. */
export const query = <A>(
  engine: ClickHouse["Service"],
  row: Schema.Codec<A, unknown>,
  sql: string,
  parameters: Readonly<Record<string, string>> = {}
): Effect.Effect<ReadonlyArray<A>, EngineFailure> =>
  Effect.flatMap(engine.run(`${sql} FORMAT JSONEachRow`, parameters), (answer) =>
    Effect.forEach(
      answer.split("\n").filter((line) => line.trim() !== ""),
      (line) => Effect.mapError(Schema.decodeUnknownEffect(Schema.fromJsonString(row))(line), unexpected)
    )
  )
