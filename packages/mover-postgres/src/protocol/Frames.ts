import * as Effect from "effect/Effect"
import type { Client } from "pg"
import { failureOf, PostgresFailure } from "./Connection.ts"

/** The messages of a replication connection that nobody has taken yet. */
export interface Frames {
  /** Waits for messages and takes all that are there. */
  readonly take: Effect.Effect<ReadonlyArray<Buffer>, PostgresFailure>
  /** Sends a message. It does not wait: the server reads what is sent. */
  readonly send: (message: Buffer) => void
}

// More than one socket has at a time, so that reading waits for nothing, and a batch is not made of very small pieces.
const readAhead = 1024 * 1024

const ended = new PostgresFailure({ code: undefined, message: "the replication connection ended" })

const copyData = 0x64

/**
 * Starts a replication, and reads ahead by about a mebibyte, or one larger message: then the socket waits. The client calls for
 * each message and has no way to wait for its reader, so its socket is paused here.
 */
export const startReplication = Effect.fnUntraced(function* (client: Client, statement: string) {
  const { connection } = client
  let frames: Array<Buffer> = []
  let bytes = 0
  let failure: PostgresFailure | undefined
  let wake = (): void => undefined

  const end = (error: PostgresFailure): void => {
    failure ??= error
    wake()
  }

  yield* Effect.callback<void, PostgresFailure>((resume) => {
    connection.once("replicationStart", () => resume(Effect.void))
    connection.on("copyData", ({ chunk }: { readonly chunk: Buffer }) => {
      // The client uses the memory of a message again.
      frames.push(Buffer.from(chunk))
      bytes += chunk.length
      if (bytes >= readAhead) connection.stream.pause()
      wake()
    })
    client.on("end", () => end(ended))
    client.query(statement).then(
      () => end(ended),
      (error: unknown) => {
        end(failureOf(error))
        resume(Effect.fail(failureOf(error)))
      }
    )
  })

  const feed: Frames = {
    take: Effect.callback((resume) => {
      const give = (): void => {
        if (frames.length > 0) {
          const taken = frames
          frames = []
          bytes = 0
          connection.stream.resume()
          resume(Effect.succeed(taken))
        } else if (failure !== undefined) {
          resume(Effect.fail(failure))
        } else {
          wake = () => {
            wake = () => undefined
            give()
          }
        }
      }
      give()
      return Effect.sync(() => {
        wake = () => undefined
      })
    }),
    send: (message) => {
      const header = Buffer.alloc(5)
      header.writeUInt8(copyData, 0)
      header.writeUInt32BE(message.length + 4, 1)
      connection.stream.write(Buffer.concat([header, message]))
    }
  }
  return feed
})
