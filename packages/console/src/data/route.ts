import { signal } from "@preact/signals"

/** Where the page is: the path below `/console`, and the query, which holds what a link keeps: filters, order, range. */
export interface Place {
  readonly path: string
  readonly query: URLSearchParams
}

const base = "/console"

const read = (): Place => ({
  path: location.pathname.slice(base.length).replace(/\/$/, "") || "/",
  query: new URLSearchParams(location.search)
})

export const place = signal(read())

addEventListener("popstate", () => {
  place.value = read()
})

const written = (path: string, query?: URLSearchParams): string =>
  `${base}${path === "/" ? "" : path}${query === undefined || query.size === 0 ? "" : `?${query}`}`

/** The URL of a path below `/console`. */
export const hrefOf = (path: string): string => written(path)

/** Goes to a path; the browser's button back returns. */
export const go = (path: string): void => {
  history.pushState(null, "", written(path))
  place.value = read()
}

/** Sets fields of the query in the place of the present ones, without an entry of the history; an empty text removes one. */
export const setQuery = (fields: Readonly<Record<string, string>>): void => {
  const query = new URLSearchParams(place.value.query)
  for (const [name, value] of Object.entries(fields)) {
    if (value === "") query.delete(name)
    else query.set(name, value)
  }
  history.replaceState(null, "", written(place.value.path, query))
  place.value = read()
}

/** The parameters of a path that a pattern such as `/organizations/:organizationId` matches; else `undefined`. */
export const paramsOf = (pattern: string, path: string): Readonly<Record<string, string>> | undefined => {
  const names = pattern.split("/")
  const parts = path.split("/")
  if (names.length !== parts.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, name] of names.entries()) {
    const part = parts[index] ?? ""
    if (name.startsWith(":")) params[name.slice(1)] = decode(part)
    else if (name !== part) return undefined
  }
  return params
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
