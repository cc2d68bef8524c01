import { ApiKeyCreate, DashboardCreate, Pipe } from "@headgate/core"
import * as Arbitrary from "effect/Arbitrary"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

const encodePipe = Schema.encodeResult(Pipe)

/** Any pipe, unknown fields included, whose timestamps RFC 3339 can spell: years 0 to 9999. */
export const anyPipe: Arbitrary.Arbitrary<Pipe> = Arbitrary.schema(Pipe).pipe(
  Arbitrary.filter((pipe) => Result.isSuccess(encodePipe(pipe)))
)

/** Any request for a dashboard, unknown fields included. */
export const anyDashboardCreate: Arbitrary.Arbitrary<DashboardCreate> = Arbitrary.schema(DashboardCreate)

/** Any request for a key that never expires and whose credentials the service makes. */
export const anyApiKeyCreate: Arbitrary.Arbitrary<ApiKeyCreate> = Arbitrary.schema(ApiKeyCreate).pipe(
  Arbitrary.map(({ expireAt: _expireAt, hashData: _hashData, ...request }): ApiKeyCreate => request)
)

/** Enough to meet an odd value, few enough for an adapter that starts a server each time. */
export const thoroughly = { arbitrary: { runs: 30 } } as const
