import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { nodeHeaders } from "./requestUrl.ts"

/** The media ranges of an `Accept` header with their weights. */
const weights = (accept: string): ReadonlyMap<string, number> =>
  new Map(
    accept.split(",").map((part) => {
      const [range = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith("q="))
      return [range, weight === undefined ? 1 : Number(weight.slice(2)) || 0]
    })
  )

/** The weight of a media type: that of the most specific range it is in (RFC 9110, section 12.5.1). */
const weightOf = (ranges: ReadonlyMap<string, number>, type: string): number =>
  ranges.get(type) ?? ranges.get(`${type.split("/", 1)[0]}/*`) ?? ranges.get("*/*") ?? 0

/** Whether a caller would rather have HTML than JSON. */
export const prefersHtml = (request: HttpServerRequest): boolean => {
  const ranges = weights(nodeHeaders(request).accept ?? "")
  return weightOf(ranges, "text/html") > weightOf(ranges, "application/json")
}
