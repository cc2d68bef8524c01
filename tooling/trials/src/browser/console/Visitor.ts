/// <reference lib="dom" />
import type { Browser, BrowserContextOptions, Page } from "playwright-core"

/** What pages of the console must never do. */
export interface Misdeeds {
  /** What the policy of the page forbids and was tried all the same. */
  readonly violations: Array<string>
  /** URLs of other origins. */
  readonly elsewhere: Array<string>
  /** Scripts of texts that ran, and dialogs that they opened. */
  readonly ran: Array<string>
  /** Errors that nothing in the page caught. */
  readonly errors: Array<string>
  /** What was asked of the server: method and path. */
  readonly requests: Array<string>
}

/** A page of a browser in which a person uses the console. */
export interface Visitor {
  readonly page: Page
  readonly misdeeds: Misdeeds
  readonly close: () => Promise<void>
}

/** Opens a page in a profile of its own, and notes everything that it must not do. */
export const visit = async (
  browser: Browser,
  origin: string,
  settings: BrowserContextOptions = {}
): Promise<Visitor> => {
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, baseURL: origin, ...settings })
  const page = await context.newPage()
  const misdeeds: Misdeeds = { violations: [], elsewhere: [], ran: [], errors: [], requests: [] }
  await page.exposeBinding("noteViolation", (_, text: string) => misdeeds.violations.push(text))
  // What hostile texts of the trial call.
  await page.exposeBinding("hostile", (_, text: string) => misdeeds.ran.push(`ran: ${text}`))
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ blockedURI, sourceFile, violatedDirective }) => {
      Reflect.get(window, "noteViolation")(`${violatedDirective} ${blockedURI} in ${sourceFile}`)
    })
  })
  page.on("dialog", (dialog) => {
    misdeeds.ran.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on("pageerror", (error) => misdeeds.errors.push(error.stack ?? error.message))
  context.on("request", (request) => {
    const url = new URL(request.url())
    if (url.protocol === "data:") return
    if (url.origin === origin) misdeeds.requests.push(`${request.method()} ${url.pathname}`)
    else misdeeds.elsewhere.push(request.url())
  })
  return { page, misdeeds, close: () => context.close() }
}

/** What a visitor's page did that it must not, as one list. */
export const misdeedsOf = ({ misdeeds: { elsewhere, errors, ran, violations } }: Visitor): ReadonlyArray<string> => [
  ...violations.map((text) => `policy: ${text}`),
  ...elsewhere.map((url) => `elsewhere: ${url}`),
  ...ran,
  ...errors.map((text) => `error: ${text}`)
]

/** Chooses to stay signed in in the tab, so that another URL can be opened in it. */
export const staySignedIn = async (page: Page): Promise<void> => {
  const account = page.locator("[popovertarget=account]")
  await account.click()
  await page.getByLabel("Keep me signed in in this tab").check()
  await account.click()
}
