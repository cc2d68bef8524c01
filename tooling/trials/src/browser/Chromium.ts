import { existsSync } from "node:fs"
import { join } from "node:path"
import { chromium, type BrowserContext } from "playwright-core"

/** Where Debian's package puts it, and others do. */
const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

// Without these a browser looks for updates and for names on networks that a trial has nothing to do with.
const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

/** Starts a headless Chromium with an empty profile in a directory. */
export const startChromium = (directory: string): Promise<BrowserContext> => {
  const executablePath = process.env["HEADGATE_CHROMIUM"] ?? places.find((place) => existsSync(place))
  if (executablePath === undefined) {
    return Promise.reject(new Error("there is no Chromium on this machine: apt-get install -y chromium"))
  }
  return chromium.launchPersistentContext(join(directory, "profile"), { executablePath, headless: true, args: quiet })
}
