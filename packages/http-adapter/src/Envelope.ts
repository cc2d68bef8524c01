import * as Predicate from "effect/Predicate"

const otherThan2xx = /^[013-9]\d\d$/

/** Whether the status that an envelope repeats is one of failure: such an answer must not pass for a success. */
export const contradictsItself = (envelope: unknown): boolean => {
  const status = Predicate.hasProperty(envelope, "status") ? envelope.status : undefined
  return (Predicate.isNumber(status) || Predicate.isString(status)) && otherThan2xx.test(String(status))
}
