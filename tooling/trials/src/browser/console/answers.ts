import type { Browser, Page, Route } from "playwright-core"
import { keysPath, pipesPath } from "@headgate/harness/Snapshot"
import { startProcess } from "@headgate/harness/ServerProcess"
import { join } from "node:path"
import { type ConsoleServer, startConsole } from "./ConsoleServer.ts"
import type { Part } from "./Part.ts"
import { samplePipes } from "./samplePipes.ts"
import { misdeedsOf, visit } from "./Visitor.ts"

const setFaults = async (server: ConsoleServer, rules: ReadonlyArray<object>): Promise<void> => {
  const response = await fetch(`${server.process.url}/_admin/faults`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ rules })
  })
  if (!response.ok) throw new Error(await response.text())
}

const nameField = (page: Page) => page.getByRole("dialog").getByLabel("Name", { exact: true })

/** What a person sees when the server answers an error, is away, or ends the session. */
export const answers: Part = async ({ browser, directory, random, script, verdict }) => {
  const server = await startConsole(script, directory, random, { pipes: samplePipes(random, 5) }, "--admin")
  const visitor = await visit(browser, server.process.url)
  const { page } = visitor
  await page.goto(await server.link())
  await page.getByRole("table").waitFor()
  const seen: Array<string> = []
  for (const [status, sentence] of [
    [503, /UNAVAILABLE|away/],
    [429, /TOO_MANY|requests/],
    [500, /INTERNAL|failed/],
    [403, /FORBIDDEN/]
  ] as const) {
    await setFaults(server, [
      { match: { path: `${pipesPath(server.organization)}/statuses` }, status, headers: { "Retry-After": "1" } }
    ])
    await page.getByText(sentence).first().waitFor()
    verdict.hold((await page.getByRole("table").count()) === 1, `${status}: the table that was there is gone`)
    await page.getByText(/ago/).first().waitFor()
    await setFaults(server, [])
    await page.locator(".stale").waitFor({ state: "detached" })
    seen.push(String(status))
  }
  await endedSession(server, page, verdict)
  await lostAnswer(server, page, verdict)
  await closedDialogs(page, verdict)
  await strangeHeader(browser, server)
  await restarted(server, script, directory, page, verdict)
  verdict.none(misdeedsOf(visitor), "with errors of the server")
  await visitor.close()
  return `${seen.join(", ")}, a session that ended, and a server that was away`
}

/** A session that ends while a form is half filled: sign in again, and nothing that was typed is lost. */
const endedSession = async (server: ConsoleServer, page: Page, verdict: Parameters<Part>[0]["verdict"]) => {
  const keys = keysPath(server.organization)
  const made = await server.call("POST", keys, { name: "person", roles: ["admin"] })
  await page.goto(await server.link(made))
  await page.getByRole("table").waitFor()
  await page.keyboard.press("g")
  await page.keyboard.press("k")
  await page.getByRole("button", { name: "New key" }).click()
  await nameField(page).fill("half filled")
  await server.call("PATCH", `${keys}/${made.key.id}`, { state: "disabled" })
  await page.getByRole("button", { name: "Create" }).click()
  const again = page.getByRole("dialog", { name: "Sign in again" })
  await again.waitFor()
  await again.getByLabel("Key id").fill(server.organization.keyId)
  await again.getByLabel("Key secret").fill(server.organization.keySecret)
  await again.getByRole("button", { name: "Sign in" }).click()
  await again.waitFor({ state: "detached" })
  verdict.hold((await nameField(page).inputValue()) === "half filled", "what was filled in is lost after a new sign-in")
  await page.getByRole("button", { name: "Create" }).click()
  await page.getByRole("dialog", { name: "The new key" }).waitFor()
  await page.getByRole("button", { name: "Done" }).click()
}

/** The answer to the creation of a key is lost: the next attempt creates no second one, and shows the credentials of the first. */
const lostAnswer = async (server: ConsoleServer, page: Page, verdict: Parameters<Part>[0]["verdict"]) => {
  let isLost = false
  await page.route(`**${keysPath(server.organization)}`, async (route) => {
    if (route.request().method() !== "POST" || isLost) return route.continue()
    isLost = true
    await route.fetch()
    return route.abort()
  })
  await page.getByRole("button", { name: "New key" }).click()
  await nameField(page).fill("lost answer")
  await page.getByRole("button", { name: "Create" }).click()
  await page.getByText("The server does not answer.").waitFor()
  await page.getByRole("button", { name: "Create" }).click()
  await page.getByRole("dialog", { name: "The new key" }).waitFor()
  await page.getByRole("button", { name: "Done" }).click()
  await page.unrouteAll({ behavior: "wait" })
  const keys: ReadonlyArray<{ name: string }> = await server.call("GET", keysPath(server.organization))
  verdict.hold(keys.filter(({ name }) => name === "lost answer").length === 1, "a repeated creation made two keys")
}

/** Dialogs that are closed while their request runs: what was opened since stays, and a failure is told. */
const closedDialogs = async (page: Page, verdict: Parameters<Part>[0]["verdict"]) => {
  /** Presses a button of a dialog, closes the dialog, and resolves to what lets the request go on. */
  const press = async (name: string, verb: string) => {
    await page.getByRole("button", { name, exact: true }).click()
    const arrived = new Promise<Route>((resolve) => void page.route("**/state", resolve, { times: 1 }))
    await page.getByRole("dialog").getByRole("button", { name: verb, exact: true }).click()
    const route = await arrived
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
    return route
  }
  await page.keyboard.press("g")
  await page.keyboard.press("p")
  await page.getByRole("link", { name: "pipe 0001" }).click()
  const stop = await press("Stop …", "Stop")
  await page.getByRole("button", { name: "Rename …" }).click()
  await stop.continue()
  // The page has the answer once it shows the state that follows.
  await page.locator("main").getByText("Stopped").first().waitFor()
  const isOpen = (await nameField(page).count()) === 1
  verdict.hold(isOpen, "the end of a request has closed a dialog that was opened later")
  if (isOpen) await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
  const start = await press("Start …", "Start")
  await start.abort()
  await page.getByRole("region", { name: "Start pipe 0001" }).getByText("The server does not answer.").waitFor()
  await page.getByRole("button", { name: "Dismiss" }).click()
}

/** What stands around every page cannot be drawn: the page says that it failed, in the place of loading for ever. */
const strangeHeader = async (browser: Browser, server: ConsoleServer) => {
  const visitor = await visit(browser, server.process.url)
  await visitor.page.route("**/services", (route) => route.fulfill({ json: { result: { of: "another version" } } }))
  await visitor.page.goto(await server.link())
  await visitor.page.getByText("This page failed").waitFor()
  await visitor.close()
}

/** A server that is stopped and started: the last picture stays, with its age, and is renewed by itself. */
const restarted = async (
  server: ConsoleServer,
  script: string,
  directory: string,
  page: Page,
  verdict: Parameters<Part>[0]["verdict"]
) => {
  await page.keyboard.press("g")
  await page.keyboard.press("p")
  await page.getByRole("table").waitFor()
  await verdict.cleanExit(server.process, "the server")
  await page.getByText("The server does not answer.").first().waitFor()
  verdict.hold((await page.getByRole("table").count()) === 1, "the table is gone while the server is away")
  const { port } = new URL(server.process.url)
  const next = await startProcess(script, ["--data", join(directory, "data"), "--port", port])
  await page.locator(".stale").waitFor({ state: "detached", timeout: 60_000 })
  await verdict.cleanExit(next, "the server that was started again")
}
