import { protocolErrors, protocolErrorsCodesById } from "@platformatic/kafka"

const longest = 500

/** An error of the client, with its causes. The client puts no credentials into the messages of its errors. */
export const describeError = (error: unknown): string => {
  const texts: Array<string> = []
  const collect = (each: unknown): void => {
    if (!(each instanceof Error) || texts.length >= 5) return
    if (each.message !== "" && !texts.includes(each.message)) texts.push(each.message)
    if (each instanceof AggregateError) each.errors.forEach(collect)
    collect(each.cause)
  }
  collect(error)
  return (texts.join(": ") || "an unknown error").slice(0, longest)
}

const loginRefusals: ReadonlyArray<unknown> = ["SASL_AUTHENTICATION_FAILED", "UNSUPPORTED_SASL_MECHANISM"]

/** Whether a broker answered that it does not take the login. The client puts the answer into the causes of its error. */
export const isLoginRefused = (error: unknown, depth = 0): boolean =>
  error instanceof Error &&
  depth < 10 &&
  (("apiId" in error && loginRefusals.includes(error.apiId)) ||
    isLoginRefused(error.cause, depth + 1) ||
    (error instanceof AggregateError && error.errors.some((each) => isLoginRefused(each, depth + 1))))

/** An error code of the protocol, in words. */
export const describeCode = (code: number): string => {
  const id = protocolErrorsCodesById[code]
  return id === undefined ? `error ${code}` : `${id}: ${protocolErrors[id]?.message ?? ""}`
}
