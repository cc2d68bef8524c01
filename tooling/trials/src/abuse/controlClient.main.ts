// A process that does nothing wrong: `controlClient.main.ts <url> <path> <authorization>` reads one thing repeatedly, each
// time over a new connection. It reports when it has begun; any message makes it report its results and end. In a process
// of its own, so that its times are those of the server and not of the attacker.
import { callJson } from "@headgate/harness/JsonClient"
import { setTimeout as sleep } from "node:timers/promises"

/** What the control client experienced. */
export interface ControlResult {
  /** The time of each request in milliseconds. */
  readonly times: ReadonlyArray<number>
  /** Errors and other answers than 200. */
  readonly failures: ReadonlyArray<string>
}

const pause = 20
const fewestRequests = 25

const [url = "", path = "", authorization = ""] = process.argv.slice(2)
const times: Array<number> = []
const failures: Array<string> = []
const stopped = new AbortController()
process.once("message", () => stopped.abort())

const read = async () => {
  const began = performance.now()
  try {
    const { status } = await callJson(url, { path, authorization }, { isLast: true })
    if (status !== 200) failures.push(`status ${status}`)
  } catch (error) {
    failures.push(String(error))
  }
  times.push(performance.now() - began)
}

// The first one also loads modules: its time does not count.
await read()
times.length = 0
process.send?.("begun")
while (!stopped.signal.aborted || times.length < fewestRequests) {
  await read()
  await sleep(pause)
}
process.send?.({ times, failures } satisfies ControlResult, () => process.disconnect())
