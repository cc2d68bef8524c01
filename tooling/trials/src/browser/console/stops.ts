import type { Page } from "playwright-core"
import { pipesPath } from "@headgate/harness/Snapshot"
import type { ConsoleServer } from "./ConsoleServer.ts"

/** A view of the console. */
export interface Stop {
  readonly name: string
  /** Brings the page there. */
  readonly open: (page: Page) => Promise<unknown>
}

const dialog = (page: Page) => page.getByRole("dialog").waitFor()

/** Every page, with a dialog, without content, and with an error. */
export const stopsOf = async (server: ConsoleServer): Promise<ReadonlyArray<Stop>> => {
  const [pipe] = await server.call("GET", pipesPath(server.organization))
  const { id, serviceId } = server.organization
  const [dashboard] = await server.call("GET", `/v1/organizations/${id}/services/${serviceId}/dbstack/dashboards`)
  const organization = `/console/organizations/${id}`
  const service = `${organization}/services/${serviceId}`
  const pipes = `${service}/pipes`
  const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor()
  return [
    { name: "pipes", open: (page) => page.goto(pipes).then(() => page.getByRole("table").waitFor()) },
    {
      name: "pipes, none found",
      open: (page) => page.goto(`${pipes}?text=nothing`).then(() => page.getByText("No pipe matches").waitFor())
    },
    { name: "new pipe", open: (page) => page.goto(`${pipes}/new`).then(() => heading(page, "New pipe")) },
    { name: "dashboards", open: (page) => page.goto(`${service}/dashboards`).then(() => heading(page, "Dashboards")) },
    {
      name: "a dashboard",
      open: (page) => page.goto(`${service}/dashboards/${dashboard.id}`).then(() => heading(page, dashboard.name))
    },
    {
      name: "connections and sources",
      open: (page) => page.goto(`${organization}/sources`).then(() => heading(page, "Connections and sources"))
    },
    { name: "keys of the keyboard", open: (page) => page.keyboard.press("?").then(() => dialog(page)) },
    { name: "a pipe", open: (page) => page.goto(`${pipes}/${pipe.id}`).then(() => heading(page, pipe.name)) },
    {
      name: "stop a pipe",
      open: (page) =>
        page
          .getByRole("button", { name: "Stop …" })
          .click()
          .then(() => dialog(page))
    },
    {
      name: "settings of a pipe",
      open: (page) =>
        page
          .goto(`${pipes}/${pipe.id}`)
          .then(() => page.getByRole("button", { name: "Settings …" }).click())
          .then(() => dialog(page))
    },
    { name: "no such pipe", open: (page) => page.goto(`${pipes}/${id}`).then(() => page.getByRole("alert").waitFor()) },
    {
      name: "no such page",
      open: (page) => page.goto("/console/nowhere").then(() => page.getByText("There is no such page").waitFor())
    },
    { name: "keys", open: (page) => page.goto(`${organization}/keys`).then(() => heading(page, "Keys")) },
    {
      name: "new key",
      open: (page) =>
        page
          .getByRole("button", { name: "New key" })
          .click()
          .then(() => dialog(page))
    }
  ]
}

export const themes = ["light", "dark"] as const

export const sizes = [
  { width: 1200, height: 800 },
  { width: 360, height: 740 }
] as const
