import * as Schema from "effect/Schema"
import { Uuid } from "../schema/fieldSchemas.ts"
import { ServiceAddress } from "./service.ts"

/** The id of a reverse private endpoint, a UUID. */
export const ReversePrivateEndpointId = Uuid.pipe(Schema.brand("ReversePrivateEndpointId")).annotate({
  description: "The id of the reverse private endpoint, a UUID."
})
export type ReversePrivateEndpointId = typeof ReversePrivateEndpointId.Type

/** The address of a reverse private endpoint: the three path parameters of its operations, all UUIDs. */
export const ReversePrivateEndpointAddress = Schema.Struct({
  ...ServiceAddress.fields,
  reversePrivateEndpointId: ReversePrivateEndpointId
})
export type ReversePrivateEndpointAddress = typeof ReversePrivateEndpointAddress.Type
