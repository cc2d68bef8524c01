import type { Page } from "playwright-core"
import { pipesPath } from "@headgate/harness/Snapshot"
import type { ConsoleServer } from "./ConsoleServer.ts"
import { creationStops } from "./creationStops.ts"
import type { Stop } from "./Stop.ts"

const headingOf = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor()

/** Presses a button and waits for the dialog that it opens. */
const opens = (button: string | RegExp) => async (page: Page) => {
  await page.getByRole("button", { name: button }).first().click()
  await page.getByRole("dialog").waitFor()
}

/** Opens a path, and presses a button there for a dialog. */
const opensAt = (path: string, button: string | RegExp) => async (page: Page) => {
  await page.goto(path)
  await opens(button)(page)
}

/** The views of a dashboard, and of what its tiles read. */
const dashboardStops = (
  list: string,
  sources: string,
  { id, name }: { id: string; name: string }
): ReadonlyArray<Stop> => [
  { name: "dashboards", open: (page) => page.goto(list).then(() => page.getByRole("link", { name }).waitFor()) },
  {
    name: "a dashboard",
    open: (page) => page.goto(`${list}/${id}`).then(() => page.getByText("Try again").waitFor())
  },
  { name: "link to a dashboard", open: opens("Link …") },
  { name: "delete a dashboard", open: opensAt(`${list}/${id}`, "Delete …") },
  {
    name: "edit a dashboard",
    open: (page) => page.goto(`${list}/${id}?edit=on`).then(() => page.getByText("Add a tile").waitFor())
  },
  { name: "edit a tile", open: opens("Edit Rows") },
  { name: "new dashboard", open: opensAt(list, "New dashboard") },
  {
    name: "connections and sources",
    open: (page) => page.goto(sources).then(() => page.getByText("There are no sources yet").waitFor())
  },
  { name: "new connection", open: opens("New connection") },
  { name: "new source", open: opensAt(sources, "New source") }
]

/** Every page, its dialogs, without content, and with an error. */
export const stopsOf = async (server: ConsoleServer): Promise<ReadonlyArray<Stop>> => {
  const [pipe] = await server.call("GET", pipesPath(server.organization))
  const { id, serviceId } = server.organization
  const [dashboard] = await server.call("GET", `/v1/organizations/${id}/services/${serviceId}/dbstack/dashboards`)
  const organization = `/console/organizations/${id}`
  const service = `${organization}/services/${serviceId}`
  const pipes = `${service}/pipes`
  const onePipe = `${pipes}/${pipe.id}`
  return [
    { name: "pipes", open: (page) => page.goto(pipes).then(() => page.getByRole("table").waitFor()) },
    {
      name: "pipes, none found",
      open: (page) => page.goto(`${pipes}?text=nothing`).then(() => page.getByText("No pipe matches").waitFor())
    },
    ...creationStops(`${pipes}/new`),
    ...dashboardStops(`${service}/dashboards`, `${organization}/sources`, dashboard),
    {
      name: "keys of the keyboard",
      open: async (page) => {
        await page.goto(onePipe)
        await headingOf(page, pipe.name)
        await page.keyboard.press("?")
        await page.getByRole("dialog").waitFor()
      }
    },
    {
      name: "a pipe",
      open: (page) => page.goto(onePipe).then(() => page.getByText("No events are kept").waitFor())
    },
    ...["Stop …", "Settings …", "Scale …", "Rename …", "Delete …"].map((button) => ({
      name: `${button.replace(" …", "").toLowerCase()} a pipe`,
      open: opensAt(onePipe, button)
    })),
    { name: "no such pipe", open: (page) => page.goto(`${pipes}/${id}`).then(() => page.getByRole("alert").waitFor()) },
    {
      name: "no such page",
      open: (page) => page.goto("/console/nowhere").then(() => page.getByText("There is no such page").waitFor())
    },
    { name: "keys", open: (page) => page.goto(`${organization}/keys`).then(() => headingOf(page, "Keys")) },
    { name: "new key", open: opens("New key") },
    ...["Rotate", "Disable", "Delete"].map((button) => ({
      name: `${button.toLowerCase()} a key`,
      open: opensAt(`${organization}/keys`, new RegExp(`^${button} reader`))
    }))
  ]
}

export const themes = ["light", "dark"] as const

export const sizes = [
  { width: 1200, height: 800 },
  { width: 360, height: 740 }
] as const
