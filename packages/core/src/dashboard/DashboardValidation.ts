import * as Schema from "effect/Schema"
import { FieldIssue } from "../error/FieldIssue.ts"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"

/** Any JSON object: a request for a dashboard that may be wrong. */
export const DashboardDocument = looseStruct({}).pipe(
  withIdentifier("DashboardDocument", "A request for a dashboard, which may be wrong.")
)
export type DashboardDocument = typeof DashboardDocument.Type

/** Whether a service would create a dashboard, and why not. */
export const DashboardValidation = looseStruct({
  valid: Schema.Boolean.annotate({ description: "Whether a dashboard can be created from the request." }),
  errors: Schema.Array(FieldIssue).annotate({
    description: "What is wrong with it: the path of each field, and what is expected. Empty if it is valid."
  }),
  normalized: nullish(
    DashboardDocument,
    "The request with its defaults filled in. Null if it is not valid, absent if the service fills in none."
  )
}).pipe(withIdentifier("DashboardValidation", "Whether a dashboard can be created from a request."))
export type DashboardValidation = typeof DashboardValidation.Type
