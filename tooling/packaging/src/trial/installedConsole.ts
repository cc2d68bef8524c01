/** Opens the console of the installed server: its page, and each script and style that the page loads. Answers what is wrong. */
export const consoleFaults = async (url: string): Promise<ReadonlyArray<string>> => {
  const page = await fetch(`${url}/console`)
  const html = await page.text()
  if (page.status !== 200) return [`GET /console: ${page.status} ${html}`]
  const loaded = Array.from(html.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g), ([, path = ""]) => path)
  if (loaded.length < 2) return [`the page loads only ${loaded.join(", ")}`]
  const answers = await Promise.all(loaded.map(async (path) => ({ path, status: (await fetch(url + path)).status })))
  return answers.flatMap(({ path, status }) => (status === 200 ? [] : [`GET ${path}: ${status}`]))
}
