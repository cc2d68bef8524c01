// A process of its own that opens connections to a server and says nothing on them: `idleHolder.ts <url> <count>`. It
// tells its parent when all are tried, then when the last one was closed, and ends.
import { openRaw } from "./RawConnection.ts"

/** How the connections of one process stand. */
export interface Holding {
  /** Open at the moment all had been tried. */
  readonly open: number
  /** Never opened, with the reasons. */
  readonly refused: ReadonlyArray<string>
}

/** How they ended. */
export interface LetGo {
  readonly closedByServer: number
  readonly stillOpen: number
  /** Seconds from the first one's opening to the last one's end. */
  readonly after: number
}

const atOnce = 50

const hold = async (url: string, count: number, tell: (message: Holding | LetGo) => void): Promise<void> => {
  const begun = performance.now()
  const refused: Array<string> = []
  const outcomes: Array<Promise<boolean>> = []
  let open = 0
  const opener = async () => {
    while (outcomes.length + refused.length < count) {
      // Counted before it is there, so that no opener beside this one opens it too.
      const connection = openRaw(url)
      outcomes.push(
        connection.then(
          async ({ outcome }) => {
            open++
            const { closedAfter } = await outcome
            open--
            return closedAfter !== undefined
          },
          (error) => {
            refused.push(String(error))
            return true
          }
        )
      )
      await connection.catch(() => undefined)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, opener))
  tell({ open, refused })
  const closed = await Promise.all(outcomes)
  const stillOpen = closed.filter((byServer) => !byServer).length
  tell({
    closedByServer: closed.length - stillOpen - refused.length,
    stillOpen,
    after: (performance.now() - begun) / 1000
  })
}

const [url = "", count = "0"] = process.argv.slice(2)
await hold(url, Number(count), (message) => process.send?.(message))
process.disconnect()
