import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
const rules = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]

/** What axe finds on a page, each with the elements that have it. */
export const violationsOn = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe)
  const found: ReadonlyArray<{ id: string; nodes: ReadonlyArray<{ html: string; failureSummary?: string }> }> =
    await page.evaluate(
      `axe.run(document, { runOnly: { type: "tag", values: ${JSON.stringify(rules)} } }).then(({ violations }) => violations)`
    )
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`)
}
