import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { setTimeout } from "node:timers/promises"
import { respondWith } from "../src/http/HttpProblem.ts"
import { maxBodyBytes, maxReceivedBytes, maxWaitingBytes } from "../src/http/Limits.ts"
import { jsonBody } from "../src/http/requestBody.ts"
import { listening } from "./support/listening.ts"
import { ServerUrl } from "./support/liveServer.ts"
import { openConnection, type RawConnection } from "./support/rawConnection.ts"

const json = { "content-type": "application/json" }
const head = (length: number) =>
  `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`

describe("large bodies", () => {
  it.live("are parsed with turns of the event loop between them", () => {
    const turns: Array<number> = []
    let turn = 0
    const answer = Effect.flatMap(HttpServerRequest, jsonBody).pipe(
      Effect.map(() => {
        turns.push(turn)
        return HttpServerResponse.empty()
      }),
      Effect.catch(respondWith)
    )
    return Effect.gen(function* () {
      const url = yield* ServerUrl
      const count = () => {
        turn++
        if (turns.length < 10) setImmediate(count)
      }
      count()
      const body = JSON.stringify("x".repeat(100_000))
      yield* Effect.promise(() =>
        Promise.all(Array.from({ length: 10 }, () => fetch(url, { method: "POST", headers: json, body })))
      )
      for (const [index, at] of turns.entries()) if (index > 0) assert.isAtLeast(at - (turns[index - 1] ?? 0), 8)
    }).pipe(Effect.provide(listening(answer)))
  })
})

const answer = Effect.flatMap(HttpServerRequest, jsonBody).pipe(
  Effect.as(HttpServerResponse.empty()),
  Effect.catch(respondWith)
)

/** Counts the requests whose head has arrived. */
const counted = () => {
  let count = 0
  return { answer: Effect.suspend(() => (count++, answer)), count: () => count }
}

const untilTrue = async (condition: () => boolean) => {
  while (!condition()) await setTimeout(1)
}

const post = async (url: string, body: string): Promise<number> =>
  (await fetch(url, { method: "POST", headers: json, body })).status

const chunked = (text: string) =>
  new ReadableStream({ start: (controller) => (controller.enqueue(Buffer.from(text)), controller.close()) })

/** Its last byte is missing. */
const almostAll = `"${"x".repeat(maxBodyBytes - 2)}`

describe("bodies that do not arrive whole", () => {
  it.live("keep no other one waiting", () =>
    Effect.gen(function* () {
      const url = yield* ServerUrl
      yield* Effect.promise(async () => {
        const incomplete = await Promise.all(Array.from({ length: 64 }, () => openConnection(url)))
        for (const { send } of incomplete) send(`${head(maxBodyBytes)}[`)
        const firstClosed = Promise.race(incomplete.map(({ closed }) => closed))
        const large = post(url, JSON.stringify("x".repeat(70_000)))
        const small = fetch(url, { method: "POST", headers: json, body: chunked("1"), duplex: "half" })
        const isBefore = (answered: Promise<unknown>) =>
          Promise.race([answered.then(() => true), firstClosed.then(() => false)])
        assert.deepStrictEqual(await Promise.all([isBefore(large), isBefore(small)]), [true, true])
        assert.deepStrictEqual([await large, (await small).status], [204, 204])
        for (const { destroy } of incomplete) destroy()
      })
    }).pipe(Effect.provide(listening(answer)))
  )

  it.live("are disconnected, the first one first, when too many bytes of them have arrived", () => {
    const { answer, count } = counted()
    return Effect.gen(function* () {
      const url = yield* ServerUrl
      yield* Effect.promise(async () => {
        const open = async (body: string) => {
          const connection = await openConnection(url)
          const begun = count() + 1
          connection.send(head(maxBodyBytes) + body)
          await untilTrue(() => count() === begun)
          return connection
        }
        const small = await open("[")
        const large: Array<RawConnection> = []
        for (let size = 0; size <= maxReceivedBytes; size += maxBodyBytes) large.push(await open(almostAll))
        assert.strictEqual(await small.closed, "")
        await large[0]?.closed
        const last = large.at(-1)
        last?.send('"')
        assert.match((await last?.received(/\r\n\r\n/)) ?? "", /^HTTP\/1\.1 204 /)
        for (const { destroy } of large) destroy()
      })
    }).pipe(Effect.provide(listening(answer)))
  })

  it.live("outlast any number of whole ones", () => {
    const { answer, count } = counted()
    return Effect.gen(function* () {
      const url = yield* ServerUrl
      yield* Effect.promise(async () => {
        const slow = await openConnection(url)
        slow.send(`${head(2)}[`)
        await untilTrue(() => count() === 1)
        for (let size = 0; size <= maxReceivedBytes; size += maxBodyBytes)
          assert.strictEqual(await post(url, `${almostAll}"`), 204)
        slow.send("]")
        assert.match(await slow.received(/\r\n\r\n/), /^HTTP\/1\.1 204 /)
        slow.destroy()
      })
    }).pipe(Effect.provide(listening(answer)))
  })

  it.live("that are whole and large are parsed or get a 503, and small ones pass them", () =>
    Effect.gen(function* () {
      const url = yield* ServerUrl
      yield* Effect.promise(async () => {
        const large = Array.from({ length: 60 }, () => post(url, `${almostAll}"`))
        const small = Promise.all(Array.from({ length: 60 }, () => post(url, "[]")))
        assert.deepStrictEqual(new Set(await small), new Set([204]))
        assert.deepStrictEqual(new Set([...(await Promise.all(large)), 503, 204]), new Set([503, 204]))
        assert.strictEqual(await post(url, `${almostAll}"`), 204)
      })
    }).pipe(Effect.provide(listening(answer)))
  )

  it.live("are refused with a 503 while too many large ones wait to be parsed", () => {
    const { answer, count } = counted()
    return Effect.gen(function* () {
      const url = yield* ServerUrl
      yield* Effect.promise(async () => {
        // Their last bytes arrive in one turn of the event loop.
        const connections = await Promise.all(
          Array.from({ length: maxWaitingBytes / maxBodyBytes + 16 }, () => openConnection(url))
        )
        for (const { send } of connections) send(head(maxBodyBytes) + almostAll)
        await untilTrue(() => count() === connections.length)
        await setTimeout(100)
        for (const { send } of connections) send('"')
        const heads = await Promise.all(connections.map(({ received }) => received(/\r\n\r\n/)))
        const refused = heads.filter((text) => text.startsWith("HTTP/1.1 503 "))
        assert.isNotEmpty(refused)
        for (const text of refused) assert.match(text, /^retry-after: 1\r$/im)
        for (const { destroy } of connections) destroy()
      })
    }).pipe(Effect.provide(listening(answer)))
  })
})

describe("a body", () => {
  it.live("that arrives a byte at a time counts for more than its bytes", () =>
    Effect.gen(function* () {
      const url = yield* ServerUrl
      const closed = yield* Effect.promise(async () => {
        const connection = await openConnection(url)
        connection.send(
          "POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n" +
            "1\r\n1\r\n".repeat(maxBodyBytes)
        )
        return await connection.closed
      })
      assert.strictEqual(closed, "")
    }).pipe(Effect.provide(listening(answer)))
  )

  it.live("of /_admin may be larger than all others together", () =>
    Effect.gen(function* () {
      const url = yield* ServerUrl
      const body = JSON.stringify("x".repeat(maxReceivedBytes + maxBodyBytes))
      assert.strictEqual(yield* Effect.promise(() => post(url, body)), 204)
    }).pipe(
      Effect.provide(
        listening(
          Effect.flatMap(HttpServerRequest, (request) => jsonBody(request, 2 * maxReceivedBytes)).pipe(
            Effect.as(HttpServerResponse.empty()),
            Effect.catch(respondWith)
          )
        )
      )
    )
  )
})
