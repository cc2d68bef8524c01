import type { Page } from "playwright-core"
import type { Stop } from "./Stop.ts"

/** Opens the fields of a kind of source. */
const fieldsOf = (path: string, kind: RegExp) => async (page: Page) => {
  await page.goto(path)
  await page.getByRole("radio", { name: kind }).check()
  await next(page)
  await page.getByRole("textbox", { name: "Name of the pipe" }).waitFor()
}

const next = (page: Page) => page.getByRole("button", { name: "Next", exact: true }).click()

/** The steps in which a pipe is created, up to the request that would be sent. */
export const creationStops = (path: string): ReadonlyArray<Stop> => [
  { name: "new pipe", open: (page) => page.goto(path).then(() => page.getByRole("radio").first().waitFor()) },
  { name: "new pipe, fields of Postgres", open: fieldsOf(path, /^Postgres/) },
  { name: "new pipe, fields of object storage", open: fieldsOf(path, /^Object storage/) },
  { name: "new pipe, fields of Kafka", open: fieldsOf(path, /^Kafka/) },
  {
    name: "new pipe, a field is missing",
    open: (page) => next(page).then(() => page.getByText("Enter a name.").first().waitFor())
  },
  {
    name: "new pipe, fields that were found",
    open: async (page) => {
      await page.getByRole("textbox", { name: "Name of the pipe" }).fill("judged")
      await page.getByRole("textbox", { name: /^Brokers/ }).fill("broker.example.com:9092")
      await page.getByRole("textbox", { name: /^Topics/ }).fill("judged")
      await next(page)
      await page.getByRole("region", { name: "Fields of the source" }).waitFor()
    }
  },
  {
    name: "new pipe, its table",
    open: (page) => next(page).then(() => page.getByRole("textbox", { name: /^Table/ }).waitFor())
  },
  {
    name: "new pipe, the request",
    open: async (page) => {
      await page.getByRole("textbox", { name: /^Table/ }).fill("judged")
      await next(page)
      await page.getByText("The server would create this pipe.").waitFor()
    }
  }
]
