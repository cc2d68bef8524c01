import type { Random } from "@headgate/harness/Random"
import { say, type Verdict } from "@headgate/harness/Verdict"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { startChromium } from "../startChromium.ts"
import { accessible } from "./accessible.ts"
import { answers } from "./answers.ts"
import { demo } from "./demo.ts"
import { firstLoad } from "./firstLoad.ts"
import { hostileTexts } from "./hostileTexts.ts"
import { journey } from "./journey.ts"
import { muchContent } from "./muchContent.ts"
import type { Part } from "./Part.ts"
import { secrets } from "./secrets.ts"

/** The parts of the console's trial, by name. */
const parts: Readonly<Record<string, Part>> = {
  firstLoad,
  journey,
  accessible,
  hostileTexts,
  secrets,
  answers,
  muchContent,
  demo
}

interface Options {
  readonly directory: string
  readonly random: Random
  readonly script: string
  readonly verdict: Verdict
  /** The name of the only part to run. */
  readonly only: string | undefined
}

/** Uses the console in a browser as people do, and as hostile ones do. */
export const useConsole = async ({ directory, only, random, script, verdict }: Options): Promise<number> => {
  const browser = await startChromium()
  const chosen = Object.entries(parts).filter(([name]) => only === undefined || only === name)
  for (const [name, part] of chosen) {
    const own = join(directory, name)
    mkdirSync(own)
    try {
      say(`console, ${name}: ${await part({ browser, directory: own, random, script, verdict })}`)
    } catch (error) {
      verdict.hold(
        false,
        `console, ${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
      )
    }
  }
  await browser.close()
  return chosen.length
}
