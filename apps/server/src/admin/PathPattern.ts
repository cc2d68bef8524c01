import * as RegExp from "effect/RegExp"
import { routedPath } from "../http/RoutedPath.ts"

const segmentSource = (segment: string): string =>
  segment.startsWith(":") && segment.length > 1 ? "[^/]+" : segment.split(/\*+/).map(RegExp.escape).join(".*")

const withoutTrailingSlash = (path: string): string =>
  path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path

/**
 * Which URLs a pattern means. `:name` stands for one segment, `*` for any text, slashes included, so that `/v1/*` is
 * every path below `/v1`; all else stands for itself. It is held against the path as the router reads it: decoded,
 * without the query and without a trailing slash.
 */
export const pathPattern = (pattern: string): ((url: string) => boolean) => {
  const source = withoutTrailingSlash(pattern).split("/").map(segmentSource).join("/")
  const matcher = new globalThis.RegExp(`^${source}$`, "su")
  return (url) => matcher.test(withoutTrailingSlash(routedPath(url)))
}
