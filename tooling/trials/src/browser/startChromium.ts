import { existsSync } from "node:fs"
import { type Browser, chromium } from "playwright-core"

const paths = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

// Without these a browser looks for updates and names on other networks.
const flags = [
  ..."--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking".split(" "),
  ..."--disable-component-update --disable-sync".split(" ")
]

/** Starts a headless Chromium with an empty profile. */
export const startChromium = (): Promise<Browser> => {
  const executablePath = process.env["HEADGATE_CHROMIUM"] ?? paths.find((path) => existsSync(path))
  return executablePath === undefined
    ? Promise.reject(new Error("Chromium is not installed: apt-get install -y chromium"))
    : chromium.launch({ executablePath, headless: true, args: flags })
}
