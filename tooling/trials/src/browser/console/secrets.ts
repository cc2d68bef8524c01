import { keysPath } from "@headgate/harness/Snapshot"
import { startConsole } from "./ConsoleServer.ts"
import type { Part } from "./Part.ts"
import { samplePipes } from "./samplePipes.ts"
import { misdeedsOf, visit } from "./Visitor.ts"

/** Everything in which a page could leave a text: its elements, fields, storages, cookies, URL and history. */
const leftIn = `(async () => {
  const fields = [...document.querySelectorAll("input, textarea, select")].map(({ value }) => value)
  const caches = await globalThis.caches?.keys() ?? []
  const databases = await indexedDB.databases()
  return JSON.stringify([document.documentElement.outerHTML, document.title, fields, { ...sessionStorage }, { ...localStorage },
    document.cookie, location.href, history.state, caches, databases])
})()`

/** Secrets that are typed and shown: after the page is left they are nowhere, in the page, its storage or the logs of the server. */
export const secrets: Part = async ({ browser, directory, random, script, verdict }) => {
  const server = await startConsole(script, directory, random, { pipes: samplePipes(random, 3) })
  const { id, keyId, keySecret } = server.organization
  const visitor = await visit(browser, server.process.url)
  const { page } = visitor
  const wrong = `hgs_marked-${random.uuid()}`
  await page.goto("/console")
  const fill = async (secret: string) => {
    await page.getByLabel("Organization id").fill(id)
    await page.getByLabel("Key id").fill(keyId)
    await page.getByLabel("Key secret").fill(secret)
    await page.getByRole("button", { name: "Sign in" }).click()
  }
  await fill(wrong)
  await page.getByRole("alert").waitFor()
  verdict.hold(
    !(await page.evaluate<string>(leftIn)).includes(wrong),
    "a wrong secret stays in the page after it was refused"
  )
  await fill(keySecret)
  await page.getByRole("table").waitFor()
  const code = new URL(await server.link()).hash.slice("#code=".length)
  await page.goto(`/console#code=${code}`)
  await page.getByRole("table").waitFor()
  await page.goto(`/console/organizations/${id}/keys`)
  verdict.hold(
    (await page.getByRole("heading", { level: 1 }).first().textContent()) === "Sign in",
    "a session that was not kept outlives a reload"
  )
  await page.goto(await server.link())
  await page.getByRole("table").waitFor()
  await page.keyboard.press("g")
  await page.keyboard.press("k")
  await page.getByRole("button", { name: "New key" }).click()
  await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("marked")
  await page.getByRole("button", { name: "Create" }).click()
  const shown = page.getByRole("dialog", { name: "The new key" })
  await shown.waitFor()
  const made = await shown.locator("code").allTextContents()
  await page.getByRole("button", { name: "Done" }).click()
  await shown.waitFor({ state: "detached" })
  const left = await page.evaluate<string>(leftIn)
  const marked = [wrong, keySecret, code, ...made]
  verdict.none(
    marked.filter((text) => left.includes(text)).map((text) => text.slice(0, 12)),
    "still in the page"
  )
  verdict.hold(!left.includes("hgs_"), "a session or a secret is in the page or its storage")
  const keys: ReadonlyArray<{ name: string }> = await server.call("GET", keysPath(server.organization))
  verdict.hold(
    keys.some(({ name }) => name === "marked"),
    "the key was not made"
  )
  verdict.none(misdeedsOf(visitor), "with secrets")
  await visitor.close()
  const { code: exit, stderr, stdout } = await server.process.stop()
  verdict.hold(exit === 0, `the server exited with ${exit}`)
  verdict.none(
    marked.filter((text) => (stdout + stderr).includes(text)).map((text) => text.slice(0, 12)),
    "in the log of the server"
  )
  return `${marked.length} secrets looked for in the page, its storage and the log`
}
