// A process that asks and reads slowly, or not at all: `readers.main.ts <url> <connections> <pause> <requests>` sends the
// requests, written as base64, on each connection, and pauses so many milliseconds after each chunk that it reads; with 0 it
// reads nothing. It reports how many connections it has opened; any message makes it report how many bytes it read, and end.
import type { Socket } from "node:net"
import { openRaw } from "./RawConnection.ts"

const [url = "", count = "0", pause = "0", requests = ""] = process.argv.slice(2)
const bytes = Buffer.from(requests, "base64")
const sockets: Array<Socket> = []
let bytesRead = 0

const readSlowly = (socket: Socket) =>
  socket.on("data", (chunk: Buffer) => {
    bytesRead += chunk.length
    socket.pause()
    setTimeout(() => socket.resume(), Number(pause))
  })

const rest = Array.from({ length: Number(count) }).values()
const opener = async () => {
  for (const _ of rest) {
    try {
      const { socket } = await openRaw(url)
      socket.removeAllListeners("data")
      if (pause === "0") socket.pause()
      else readSlowly(socket)
      socket.write(bytes)
      sockets.push(socket)
    } catch {
      // Counted by its absence.
    }
  }
}
await Promise.all(Array.from({ length: 50 }, opener))
process.once("message", () => {
  process.send?.(bytesRead)
  for (const socket of sockets) socket.destroy()
  process.disconnect()
})
process.send?.(sockets.length)
