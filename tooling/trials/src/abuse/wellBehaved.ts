// A process of its own that does nothing wrong: `wellBehaved.ts <url> <path> <authorization>` reads one thing again and
// again, one request at a time, each over a new connection. It says when it has begun; told anything, it sends how it
// fared and ends.
import { setTimeout as sleep } from "node:timers/promises"
import { makeJsonClient } from "../http/JsonClient.ts"
import type { Experience } from "./Bystander.ts"

const pause = 20
const fewestRequests = 25

const [url = "", path = "", authorization = ""] = process.argv.slice(2)
const client = makeJsonClient(url, { keepAlive: false })
const times: Array<number> = []
const failures: Array<string> = []
const stop = new AbortController()
process.once("message", () => stop.abort())

const read = async () => {
  const begun = performance.now()
  try {
    const { status } = await client.call({ path, authorization })
    if (status !== 200) failures.push(`status ${status}`)
  } catch (error) {
    failures.push(String(error))
  }
  times.push(performance.now() - begun)
}

// The first one also loads what a process loads but once: it is not counted.
await read()
times.length = 0
process.send?.("begun")
while (!stop.signal.aborted || times.length < fewestRequests) {
  await read()
  await sleep(pause)
}
const experience: Experience = { times, failures }
process.send?.(experience)
process.disconnect()
