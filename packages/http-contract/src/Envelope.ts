import { identified, openStruct, Uuid } from "@headgate/core/schema"
import * as Schema from "effect/Schema"

const envelopeFields = {
  /** The HTTP status, once more. */
  status: Schema.Int,
  /** Fresh for every request; also in the `x-request-id` header. */
  requestId: Uuid
}

/** What the management API wraps every success in. Contract: section 2.1. */
export const managementEnvelope = <S extends Schema.Constraint>(result: S) => openStruct({ ...envelopeFields, result })

/** The envelope of an operation that has nothing to give back: a delete. By decision, it has no `result`. */
export const EmptyManagementEnvelope = openStruct(envelopeFields).pipe(identified("EmptyManagementEnvelope"))

/** What the observability API wraps every success in. Contract: sections 4.3 and 4.4. */
export const observabilityEnvelope = <S extends Schema.Constraint>(data: S) => openStruct({ data })
