/**
 * The path of a request's URL as it was sent, still encoded: without a query or fragment, which may hold anything, and
 * without the scheme and authority of a request that was meant for a proxy.
 */
export const pathOf = (url: string): string => {
  const [path = ""] = url.split(/[?;#]/u, 1)
  return path.startsWith("/") ? path : path.replace(/^[^/]*:\/\/[^/]*/u, "")
}
