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

// Whether another page was opened whose heading has not got the focus yet.
let isNew = false

let mayLeave: (() => boolean) | undefined

/** Asks before another page is opened, until the function that is returned is called. */
export const guardLeaving = (ask: () => boolean) => {
  mayLeave = ask
  return () => {
    if (mayLeave === ask) mayLeave = undefined
  }
}

/** Whether another page may be opened in the place of the present one. */
const isLeft = (path: string): boolean => path === place.peek().path || mayLeave === undefined || mayLeave()

const arrive = () => {
  const next = read()
  if (next.path !== place.peek().path) isNew = true
  place.value = next
}

addEventListener("popstate", () => {
  if (isLeft(read().path)) arrive()
  // The browser has gone on already.
  else history.pushState(null, "", hrefOf(pathWith({})))
})

/** Whether a heading that appears is that of a page that was just opened: true once for each page, but the first. */
export const takeArrival = (): boolean => {
  const was = isNew
  isNew = false
  return was
}

/** The URL of a path below `/console`. */
export const hrefOf = (path: string): string => `${base}${path === "/" ? "" : path}`

/** Goes to a path; the browser's button back returns. */
export const go = (path: string): void => {
  if (!isLeft(path.split("?")[0] ?? "/")) return
  history.pushState(null, "", hrefOf(path))
  arrive()
}

/** Goes to a path in the place of the present one, which the browser's history does not keep. */
export const redirect = (path: string): void => {
  history.replaceState(null, "", hrefOf(path))
  place.value = read()
}

/** The present path with other fields of the query; an empty text removes one. */
export const pathWith = (fields: Readonly<Record<string, string>>): string => {
  const { path, query: present } = place.peek()
  const query = new URLSearchParams(present)
  for (const [name, value] of Object.entries(fields)) {
    if (value === "") query.delete(name)
    else query.set(name, value)
  }
  return `${path}${query.size === 0 ? "" : `?${query}`}`
}

/** Sets fields of the query in the place of the present ones, without an entry of the history; an empty text removes one. */
export const setQuery = (fields: Readonly<Record<string, string>>): void => redirect(pathWith(fields))
