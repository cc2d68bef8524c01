import type { ComponentType } from "preact"
import { paramsOf, paths } from "../data/paths.ts"
import { Pipes } from "./pipes/Pipes.tsx"

/** A page, which gets the parameters of its path: its path below `/console`, its title, and what the session must be allowed to do. */
export interface Page {
  readonly path: `/${string}`
  readonly title: string
  readonly permission: string
  /** Its name in the menu; absent for a page that others link to. */
  readonly menu?: string
  readonly load: () => Promise<ComponentType<any>>
}

/** Every page behind the sign-in, in the order of the menu. */
export const pages: ReadonlyArray<Page> = [
  {
    path: paths.pipes,
    title: "Pipes",
    menu: "Pipes",
    permission: "pipe:read",
    // The page that is seen first is no script of its own.
    load: () => Promise.resolve(Pipes)
  },
  {
    path: paths.dashboards,
    title: "Dashboards",
    menu: "Dashboards",
    permission: "dashboard:read",
    load: () => import("./dashboards/Dashboards.tsx").then(({ Dashboards }) => Dashboards)
  },
  {
    path: paths.dashboard,
    title: "Dashboard",
    permission: "dashboard:read",
    load: () => import("./dashboards/Dashboard.tsx").then(({ Dashboard }) => Dashboard)
  },
  {
    path: paths.sources,
    title: "Connections and sources",
    menu: "Sources",
    permission: "source:read",
    load: () => import("./sources/Sources.tsx").then(({ Sources }) => Sources)
  },
  {
    path: paths.keys,
    title: "Keys",
    menu: "Keys",
    permission: "key:read",
    load: () => import("./keys/Keys.tsx").then(({ Keys }) => Keys)
  },
  {
    // Before the page of a pipe, whose id is a UUID.
    path: paths.create,
    title: "New pipe",
    permission: "pipe:create",
    load: () => import("./create/Create.tsx").then(({ Create }) => Create)
  },
  {
    path: paths.pipe,
    title: "Pipe",
    permission: "pipe:read",
    load: () => import("./pipe/Pipe.tsx").then(({ Pipe }) => Pipe)
  }
]

/** The page of a path, and its parameters. */
export const pageOf = (path: string) => {
  for (const page of pages) {
    const params = paramsOf(page.path, path)
    if (params !== undefined) return { page, params }
  }
  return undefined
}
