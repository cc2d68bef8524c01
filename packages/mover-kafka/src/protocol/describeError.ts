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

/** An error code of the protocol, in words. */
export const describeCode = (code: number): string => {
  const id = protocolErrorsCodesById[code]
  return id === undefined ? `error ${code}` : `${id}: ${protocolErrors[id]?.message ?? ""}`
}
