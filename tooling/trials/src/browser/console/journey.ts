import type { Page } from "playwright-core"
import { keysPath, pipePath } from "@headgate/harness/Snapshot"
import { pressOn, tabTo, typeInto } from "./keyboard.ts"
import type { Part } from "./Part.ts"
import { type ConsoleServer, startConsole } from "./ConsoleServer.ts"
import { samplePipes } from "./samplePipes.ts"
import { misdeedsOf, visit } from "./Visitor.ts"

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor()

const shownOnce = async (page: Page) => {
  const dialog = page.getByRole("dialog", { name: "The new key" })
  await dialog.waitFor()
  const [keyId = "", keySecret = ""] = await dialog.locator("code").allTextContents()
  await pressOn(page, /^Done$/)
  await dialog.waitFor({ state: "detached" })
  return { keyId, keySecret }
}

const stopPipe = async (page: Page, name: string) => {
  await tabTo(page, new RegExp(name))
  await page.keyboard.press("Enter")
  await heading(page, name)
  await pressOn(page, /^Stop …$/)
  await page.getByRole("dialog").waitFor()
  await pressOn(page, /^Stop$/)
  await page.getByRole("dialog").waitFor({ state: "detached" })
  await page.locator("main .state", { hasText: "Stopped" }).first().waitFor()
}

const makeAndRotateKey = async (page: Page) => {
  await page.keyboard.press("g")
  await page.keyboard.press("k")
  await heading(page, "Keys")
  await pressOn(page, /^New key$/)
  await typeInto(page, /^Name$/, "made by keyboard")
  await pressOn(page, /^Create$/)
  const made = await shownOnce(page)
  await pressOn(page, /^Rotate made by keyboard$/)
  await typeInto(page, /^Hours that the old key still works$/, "2")
  await pressOn(page, /^Rotate$/)
  return { made, rotated: await shownOnce(page) }
}

const signOut = async (page: Page) => {
  await pressOn(page, /▾$/)
  await pressOn(page, /^Sign out$/)
  await heading(page, "Sign in")
}

const heldKeys = async (server: ConsoleServer, made: object, rotated: object) => {
  const keys: ReadonlyArray<{ name: string; expireAt?: string }> = await server.call(
    "GET",
    keysPath(server.organization)
  )
  const named = keys.filter(({ name }) => name === "made by keyboard")
  const hours = named.map(({ expireAt }) => Math.round((Date.parse(expireAt ?? "") - Date.now()) / 3_600_000))
  const whoami = await Promise.all(
    [made, rotated].map((credentials) =>
      server.call("GET", "/v1/whoami", undefined, credentials as { keyId: string; keySecret: string })
    )
  )
  return { hours: hours.toSorted((one, other) => one - other), names: whoami.map(({ key }) => key.name) }
}

/** What a person does with the keyboard alone: sign in, open a pipe, stop it, make and rotate a key, sign out. */
export const journey: Part = async ({ browser, directory, random, script, verdict }) => {
  const server = await startConsole(script, directory, random, { pipes: samplePipes(random, 12) })
  const visitor = await visit(browser, server.process.url)
  const { page } = visitor
  await page.goto(await server.link())
  await heading(page, "Pipes")
  verdict.hold(!page.url().includes("code"), `the URL still has the code: ${page.url()}`)
  const [pipe] = await server.call("GET", pipePath(server.organization, "").replace(/\/$/, ""))
  await stopPipe(page, pipe.name)
  const stopped = await server.call("GET", pipePath(server.organization, pipe.id))
  verdict.hold(stopped.state === "Stopped", `the pipe is ${stopped.state} after it was stopped in the console`)
  const { made, rotated } = await makeAndRotateKey(page)
  const { hours, names } = await heldKeys(server, made, rotated)
  verdict.hold(
    names.every((name) => name === "made by keyboard"),
    `the keys that were shown open ${names.join(", ")}`
  )
  verdict.hold(hours[0] === 2, `the old key expires in ${hours.join(" and ")} hours, not in 2`)
  await page.keyboard.press("?")
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor()
  await page.keyboard.press("Escape")
  await page.getByRole("dialog").waitFor({ state: "detached" })
  await signOut(page)
  verdict.none(misdeedsOf(visitor), "the journey")
  await visitor.close()
  await verdict.cleanExit(server.process, "the server")
  return "a pipe stopped, a key made and rotated, by the keyboard alone"
}
