// A process that opens connections and sends nothing: `idleConnections.main.ts <url> <count>`. It reports when all were
// tried, and when the last one was closed.
import { openRaw } from "./RawConnection.ts"

export interface OpenConnections {
  /** Open when all had been tried. */
  readonly count: number
  /** The reasons of those that could not be opened. */
  readonly refused: ReadonlyArray<string>
}

export interface ClosedConnections {
  readonly closedByServer: number
  readonly stillOpen: number
  /** From the first one's opening to the last one's end. */
  readonly seconds: number
}

const atOnce = 50
const [url = "", count = "0"] = process.argv.slice(2)
const began = performance.now()
const refused: Array<string> = []
const closings: Array<Promise<boolean>> = []
let open = 0

const rest = Array.from({ length: Number(count) }).values()
const opener = async () => {
  for (const _ of rest) {
    try {
      const { outcome } = await openRaw(url)
      open++
      closings.push(
        outcome.then(({ closedAfter }) => {
          open--
          return closedAfter !== undefined
        })
      )
    } catch (error) {
      refused.push(String(error))
    }
  }
}
await Promise.all(Array.from({ length: atOnce }, opener))
process.send?.({ count: open, refused } satisfies OpenConnections)
const closed = await Promise.all(closings)
const stillOpen = closed.filter((byServer) => !byServer).length
const seconds = (performance.now() - began) / 1000
process.send?.({ closedByServer: closed.length - stillOpen, stillOpen, seconds } satisfies ClosedConnections)
process.disconnect()
