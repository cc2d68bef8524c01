import { ClickHouse } from "@headgate/mover-clickhouse"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { embedded } from "../../../mover-clickhouse/test/support/chdb.ts"

/** The engine in this process. It is open as long as the scope. */
export const engine = Effect.map(Layer.build(embedded), (context) => Context.get(context, ClickHouse))
