import { createServer, type Socket } from "node:net"
import { runAndKeep } from "./run.ts"
import { severalAtOnce } from "./severalAtOnce.ts"
import type { Stage } from "./Stage.ts"

/** Something that listens where a database is expected, and answers as it likes. */
const impostor = async (answer: (socket: Socket, asked: Buffer) => void) => {
  const server = createServer((socket) => {
    socket.on("error", () => undefined)
    socket.on("data", (asked) => answer(socket, asked))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return { port, close: () => server.close() }
}

// What Postgres says to a wrong password, with all that it was sent.
const refusal = (asked: Buffer): Buffer => {
  const fields = Buffer.from(
    `SFATAL\0C28P01\0Mpassword authentication failed: ${asked.toString("latin1")}\0\0`,
    "latin1"
  )
  const length = Buffer.alloc(4)
  length.writeUInt32BE(fields.length + 4)
  return Buffer.concat([Buffer.from("E"), length, fields])
}

const askForPassword = Buffer.from("520000000800000003", "hex")

/** Databases and Redis that cannot be opened: their URLs hold passwords. */
export const badUrls = async (stage: Stage): Promise<void> => {
  const { marks, server: script } = stage
  const refusing = await impostor((socket, asked) => socket.end(refusal(asked)))
  // Asks for the password in clear, then repeats it.
  const curious = await impostor((socket, asked) =>
    asked[0] === "p".charCodeAt(0) ? socket.end(refusal(asked)) : socket.write(askForPassword)
  )
  const wrongRedis = await impostor((socket, asked) =>
    socket.end(`-WRONGPASS invalid: ${asked.toString("latin1").replace(/\r\n/g, " ")}\r\n`)
  )
  const databases: Readonly<Record<string, (password: string) => string>> = {
    "nobody there": (password) => `postgres://user:${password}@127.0.0.1:1/db`,
    "a server that refuses": (password) => `postgres://user:${password}@127.0.0.1:${refusing.port}/db`,
    "a server that asks": (password) => `postgres://user:${password}@127.0.0.1:${curious.port}/db`,
    "no such host": (password) => `postgres://user:${password}@headgate.invalid/db`,
    "a password in the query": (password) => `postgres://127.0.0.1:1/db?user=u&password=${password}`,
    "a port that is none": (password) => `postgres://user:${password}@127.0.0.1:port/db`,
    "another scheme": (password) => `mysql://user:${password}@127.0.0.1:1/db`,
    "a password with a slash": (password) => `postgres://user:${password}/x@127.0.0.1:1/db`,
    "no URL": (password) => password,
    "a URL within quotes": (password) => `"postgres://user:${password}@127.0.0.1:1/db"`
  }
  const redises: Readonly<Record<string, (password: string) => string>> = {
    "nobody there": (password) => `redis://:${password}@127.0.0.1:1`,
    "a server that refuses": (password) => `redis://user:${password}@127.0.0.1:${wrongRedis.port}`,
    "no URL": (password) => password,
    "a port that is none": (password) => `redis://:${password}@127.0.0.1:port`
  }
  const serve = ["--port", "0"]
  const attempt = (name: string, flag: string, command: ReadonlyArray<string>, url: (password: string) => string) => {
    const where = `--${flag}, ${name}, headgate-server ${command.join(" ")}`
    const args = [...command, "--log-level", "all"]
    const byFlag = url(marks.plant(`${where}, by flag`).value)
    const byVariable = url(marks.plant(`${where}, by variable`).value)
    const env = { [`HEADGATE_${flag.toUpperCase().replace("-", "_")}`]: byVariable }
    return [
      () => runAndKeep(stage, where, script, { args: [...args, `--${flag}`, byFlag] }),
      () => runAndKeep(stage, `${where}, by variable`, script, { args, env })
    ]
  }
  await severalAtOnce(stage, [
    ...Object.entries(databases).flatMap(([name, url], index) =>
      [serve, index % 2 === 0 ? ["export"] : ["token", "list"]].flatMap((command) =>
        attempt(name, "database-url", command, url)
      )
    ),
    ...Object.entries(redises).flatMap(([name, url]) => attempt(name, "redis-url", ["--memory", ...serve], url))
  ])
  for (const { close } of [refusing, curious, wrongRedis]) close()
}
