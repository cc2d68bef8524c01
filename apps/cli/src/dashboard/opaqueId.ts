import { Uuid } from "@headgate/core/adapter"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const isUuid = Schema.is(Uuid)

/**
 * Tells the ids of dashboards and of what belongs to them from names. The contract says only that they are strings; those
 * of the services are UUIDs or 24 hexadecimal digits.
 */
export const opaqueId =
  <Id extends string>(make: (text: string) => Id) =>
  (text: string): Option.Option<Id> =>
    isUuid(text) || /^[\da-f]{24}$/i.test(text) ? Option.some(make(text)) : Option.none()
