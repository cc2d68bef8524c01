import type { Abuse, Target } from "./Abuse.ts"
import { answers, closedWhen, openRaw, sendAll } from "./RawConnection.ts"

const largestPiece = 16 * 1024

// The first bytes of a TLS 1.2 handshake record of 512 bytes with a ClientHello in it; the rest never comes.
const halfHello = Buffer.concat([
  Buffer.from("1603010200010001fc0303", "hex"),
  Buffer.alloc(32, 0x5a),
  Buffer.from("20", "hex"),
  Buffer.alloc(32, 0xa5),
  Buffer.from("0020130213031301c02cc030", "hex")
])

const send = async ({ clients, url, verdict }: Target, name: string, bytes: () => Buffer): Promise<string> => {
  const outcomes = await Promise.all(
    Array.from({ length: clients }, async () => {
      const { outcome, socket } = await openRaw(url)
      await sendAll(socket, [bytes()])
      return outcome
    })
  )
  verdict.hold(
    outcomes.every(({ closedAfter, status }) => closedAfter !== undefined && (status === undefined || status === 400)),
    `${name}: expected 400 or nothing, and a closed connection, got ${answers(outcomes)}`
  )
  return `${answers(outcomes)}; ${closedWhen(outcomes)}`
}

const garbage: Abuse = {
  name: "garbage",
  run: (target) => send(target, "garbage", () => target.random.bytes(target.random.between(1, largestPiece)))
}

const tlsOnPlain: Abuse = {
  name: "half a TLS hello",
  run: (target) => send(target, "half a TLS hello", () => halfHello)
}

export const notHttp: ReadonlyArray<Abuse> = [garbage, tlsOnPlain]
