import * as Schema from "effect/Schema"

/** What the ledger keeps of the copy of a table: the parts of its snapshot, and what the source recorded of the table. */
export interface CopyPlan {
  readonly parts: ReadonlyArray<string>
  readonly definition?: string
}

const Parts = Schema.Array(Schema.String)
const Plan = Schema.fromJsonString(
  Schema.Union([Schema.Struct({ parts: Parts, definition: Schema.optionalKey(Schema.String) }), Parts])
)

export const planText: (plan: CopyPlan) => string = Schema.encodeSync(Plan)

const decode = Schema.decodeSync(Plan)
const isParts = Schema.is(Parts)

/** What {@link planText} wrote. Versions of before definitions were recorded wrote the parts alone. */
export const planOf = (detail: string | undefined): CopyPlan => {
  const plan = detail === undefined ? [] : decode(detail)
  return isParts(plan) ? { parts: plan } : plan
}

const Rejected = Schema.fromJsonString(Schema.Struct({ rejected: Schema.Int }))

/** The detail of a range whose rows are in the tables: how many of them are in the error tables. */
export const rejectedText = (rejected: number): string => Schema.encodeSync(Rejected)({ rejected })

const decodeRejected = Schema.decodeSync(Rejected)

/** What {@link rejectedText} wrote. */
export const rejectedIn = (detail: string | undefined): number =>
  detail === undefined ? 0 : decodeRejected(detail).rejected
