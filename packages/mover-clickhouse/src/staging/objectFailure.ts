import { EngineFailure } from "@headgate/clickhouse"
import { type ObjectAddress, ObjectRejected, RangeChanged, SourceError } from "@headgate/mover"
import { warehouseFailure } from "../connection/warehouseFailure.ts"
import { type AddressedObject, redactAddress, urlOf } from "./objectFunction.ts"
import { unreadableReason } from "./objectQuery.ts"

// The engine's numbers of the errors for an answer that is none of an object, whatever its status, and for a redirect.
const httpError = 86
const redirected = 483
// What the engine says of a redirect that has no Location.
const noLocation =
  /^Poco::NotFoundException: Not found\b|\bPoco::Exception\. Code: 1000, e\.code\(\) = 0, Not found: Location\b/
// The engine writes the status before it quotes the body.
const statusOf = /HTTP status code: (\d{3}) /u

/** The status that a storage has answered; 300 for a redirect that the engine has not followed. */
const answeredStatus = ({ code, message }: EngineFailure): number | undefined => {
  if (code === redirected || noLocation.test(message)) return 300
  const [, status] = (code === httpError ? statusOf.exec(message) : null) ?? []
  return status === undefined ? undefined : Number(status)
}

/** The one of several objects whose address the engine names, as far as its text has it. */
const namedObject = (objects: ReadonlyArray<AddressedObject>, { message }: EngineFailure): string => {
  const [first, ...more] = objects
  const pathOf = ({ at }: AddressedObject) => new URL(urlOf(at)).pathname
  const isNamed = (object: AddressedObject) =>
    [`${pathOf(object)}?`, `${pathOf(object)}. `].some((text) => message.includes(text))
  const named = more.length === 0 ? first : objects.find(isNamed)
  return named === undefined ? "an object" : `object ${named.key}`
}

/** What the answer of a storage means. The text of the engine is left out: it has the address, and what the storage wrote. */
const refusedBy = (at: ObjectAddress, object: string, status: number): SourceError | RangeChanged => {
  if (status === 404 || status === 410) return new RangeChanged({ message: `${object} is gone since it was planned` })
  if (status === 412) return new RangeChanged({ message: `${object} has changed since it was planned` })
  if (status < 400) {
    const message = `the storage redirects ${object} to another address, which is not followed: the URL has to name the address at which the bucket is served`
    return new SourceError({ field: "url", message })
  }
  const message = `the storage refuses ${object}: ${status}`
  if (status !== 401 && status !== 403) return new SourceError({ message })
  return new SourceError({ field: at._tag === "Url" && !at.isSigned ? "url" : "accessKey", message })
}

/** What a failure of a statement over the rows of an object is: the object, or the warehouse. */
const rowsFailure = (failure: EngineFailure) => {
  const reason = unreadableReason(failure)
  return reason === undefined ? warehouseFailure(failure) : new ObjectRejected({ reason })
}

/** What a failure to read an object is: the object, the storage, or the warehouse. */
export const objectFailure = (objects: ReadonlyArray<AddressedObject>) => (error: EngineFailure) => {
  const [first] = objects
  const status = first?.at._tag === "Url" ? answeredStatus(error) : undefined
  if (first !== undefined && status !== undefined) return refusedBy(first.at, namedObject(objects, error), status)
  const message = objects.reduce((text, object) => redactAddress(object, text), error.message)
  return rowsFailure(new EngineFailure({ code: error.code, message }))
}
