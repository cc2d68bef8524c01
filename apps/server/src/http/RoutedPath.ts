import * as Option from "effect/Option"

/** The path of a URL as the router reads it: decoded, without doubled slashes, without what follows it. */
export const routedPath = (url: string): string => {
  const [path = ""] = url.split(/[?;#]/, 1)
  return Option.getOrElse(Option.liftThrowable(decodeURIComponent)(path), () => path).replaceAll(/\/{2,}/g, "/")
}

/** Whether a URL belongs to the observability API, whose errors have a shape of their own. */
export const isObservability = (url: string): boolean => routedPath(url).startsWith("/api/")
