import { setTimeout as sleep } from "node:timers/promises"
import { memoryOf, socketsOf } from "../server/figures.ts"
import type { Abuse } from "./Abuse.ts"
import { openRaw, patience } from "./RawConnection.ts"

// Together more than the buffers of a connection take, so that the server is left with answers nobody fetches.
const requestsEach = 400
// More would only be more requests to answer at once, which is another kind of abuse.
const most = 50
const request = "GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n"

const neverRead: Abuse = {
  name: "clients that never read",
  run: async ({ clients, pid, url, verdict }) => {
    const count = Math.min(clients, most)
    const before = socketsOf(pid)
    const begun = performance.now()
    const passed = () => (performance.now() - begun) / 1000
    const connections = await Promise.all(Array.from({ length: count }, () => openRaw(url)))
    for (const { socket } of connections) {
      socket.pause()
      socket.write(request.repeat(requestsEach))
    }
    // Who does not read is not told that the connection was closed either: only the server knows. It counts one more,
    // the connection of the well-behaved client.
    let held = Number.NaN
    let mostMemory = 0
    do {
      await sleep(100)
      mostMemory = Math.max(mostMemory, memoryOf(pid) ?? 0)
      held = (socketsOf(pid) ?? Number.NaN) - (before ?? Number.NaN)
    } while (held > 1 && passed() * 1000 < patience)
    const after = passed()
    for (const { socket } of connections) socket.destroy()
    if (Number.isNaN(held)) return "this system does not tell what sockets another process has: not judged"
    verdict.hold(held <= 1, `clients that never read: the server still held ${held} of ${count} connections at the end`)
    return (
      `${requestsEach} requests on each of ${count} connections; ` +
      `${held <= 1 ? `all closed by the server within ${after.toFixed(1)} s` : `${held} still held after ${after.toFixed(1)} s`}, ` +
      `at most ${mostMemory} MiB in the server`
    )
  }
}

export const deafClients: ReadonlyArray<Abuse> = [neverRead]
