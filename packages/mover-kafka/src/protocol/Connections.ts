import { SourceError } from "@headgate/mover"
import { type API, apiVersionsV3, type Broker, Connection, type ConnectionOptions } from "@platformatic/kafka"
import { protocolAPIsById, protocolErrors, protocolErrorsCodesById, ResponseError } from "@platformatic/kafka"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { isIP } from "node:net"
import type { KafkaOptions } from "../options/KafkaOptions.ts"

const clientName = "headgate"

/** How long a connection may take, with TLS and authentication. */
const connectTimeout = 10_000

/** How long an answer may take. It is longer than a broker is asked to wait for messages. */
const requestTimeout = 30_000

const connectionOptions = ({ login, tls }: KafkaOptions): ConnectionOptions => ({
  connectTimeout,
  requestTimeout,
  ...(login === undefined
    ? {}
    : {
        sasl: {
          mechanism: login.mechanism,
          username: login.username,
          password: () => Redacted.value(login.password)
        }
      }),
  ...(tls === undefined ? {} : { tls: tls.ca === undefined ? {} : { ca: tls.ca } })
})

/** The most characters of the description of an error. */
const longestError = 500

/** An error of the client, with its causes. The client puts no credentials into the messages of its errors. */
const describeError = (error: unknown): string => {
  const texts: Array<string> = []
  const collect = (each: unknown): void => {
    if (!(each instanceof Error) || texts.length >= 5) return
    if (each.message !== "" && !texts.includes(each.message)) texts.push(each.message)
    if (each instanceof AggregateError) each.errors.forEach(collect)
    collect(each.cause)
  }
  collect(error)
  return (texts.join(": ") || "an unknown error").slice(0, longestError)
}

const loginRefusals: ReadonlyArray<unknown> = ["SASL_AUTHENTICATION_FAILED", "UNSUPPORTED_SASL_MECHANISM"]

/** Whether a broker answered that it does not take the login. The client puts the answer into the causes of its error. */
const isLoginRefused = (error: unknown, depth = 0): boolean =>
  error instanceof Error &&
  depth < 10 &&
  (("apiId" in error && loginRefusals.includes(error.apiId)) ||
    isLoginRefused(error.cause, depth + 1) ||
    (error instanceof AggregateError && error.errors.some((each) => isLoginRefused(each, depth + 1))))

/** An error code of the protocol, in words. */
export const describeCode = (code: number): string => {
  const id = protocolErrorsCodesById[code]
  return id === undefined ? `error ${code}` : `${id}: ${protocolErrors[id]?.message ?? ""}`
}

const nameOf = ({ host, port }: Broker): string => `${host}:${port}`

/** Interruption runs `abandon`. */
const promised = <A>(start: () => Promise<A>, abandon: Effect.Effect<void>): Effect.Effect<A, unknown> =>
  Effect.callback<A, unknown>((resume) => {
    start().then(
      (answer) => resume(Effect.succeed(answer)),
      (error: unknown) => resume(Effect.fail(error))
    )
    return abandon
  })

/** Sends requests to brokers. The answer may hold error codes. */
export interface Connections {
  readonly request: <Arguments extends Array<unknown>, Answer>(
    broker: Broker,
    api: API<Arguments, Answer>,
    ...args: Arguments
  ) => Effect.Effect<Answer, SourceError>
}

/**
 * Connections to brokers, which are closed when the scope is. A connection carries one request at a time, because a broker
 * answers the requests of a connection in order, so that one that waits for messages would hold up the others. There are as
 * many connections as requests at the same time.
 */
export const makeConnections = Effect.fnUntraced(function* (
  options: KafkaOptions,
  needed: ReadonlyArray<Pick<API<[], unknown>, "key" | "version">>
) {
  const settings = connectionOptions(options)
  const open = new Set<Connection>()
  const idle = new Map<string, ReadonlyArray<Connection>>()

  const close = (connection: Connection) =>
    Effect.sync(() => {
      open.delete(connection)
      // Before it is connected it has no socket, whatever the type says; and closing alone waits for the broker.
      connection.close(() => undefined)
      const socket: Connection["socket"] | undefined = connection.socket
      socket?.destroy()
    })
  yield* Effect.addFinalizer(() => Effect.forEach(open, close))

  const ask = <Arguments extends Array<unknown>, Answer>(
    connection: Connection,
    api: API<Arguments, Answer>,
    args: Arguments
  ): Effect.Effect<Answer, unknown> =>
    Effect.catch(
      promised(() => api.async(connection, ...args), close(connection)),
      // The client fails if a part of the answer is an error; the others count.
      (error) => (error instanceof ResponseError ? Effect.succeed<Answer>(error["response"]) : Effect.fail(error))
    )

  const checkVersions = Effect.fnUntraced(function* (connection: Connection) {
    const { apiKeys } = yield* ask(connection, apiVersionsV3.api, [clientName, "1"])
    for (const { key, version } of needed) {
      const served = apiKeys.find(({ apiKey }) => apiKey === key)
      if (served === undefined || served.minVersion > version || served.maxVersion < version) {
        return yield* Effect.fail(
          new Error(`it does not serve ${protocolAPIsById[key]} version ${version}: Kafka 3.1 or later is needed`)
        )
      }
    }
  })

  const connect = Effect.fnUntraced(function* (broker: Broker) {
    const { host, port } = broker
    const address = options.resolve === undefined ? host : yield* options.resolve(host)
    // Brokers behind one address differ by this name. An address is no name.
    const name = isIP(host) === 0 ? { tlsServerName: host } : {}
    const connection = new Connection(clientName, { ...settings, ...name })
    open.add(connection)
    // The request that waits fails with the cause. An event without a listener would end the process.
    connection.on("error", () => undefined)
    connection.on("close", () => {
      open.delete(connection)
      idle.set(
        nameOf(broker),
        (idle.get(nameOf(broker)) ?? []).filter((other) => other !== connection)
      )
    })
    const connected = promised(async () => connection.connect(address, port), close(connection))
    yield* connected.pipe(
      Effect.andThen(checkVersions(connection)),
      Effect.tapError(() => close(connection))
    )
    return connection
  })

  const borrow = Effect.fnUntraced(function* (broker: Broker) {
    const [connection, ...rest] = idle.get(nameOf(broker)) ?? []
    idle.set(nameOf(broker), rest)
    return connection ?? (yield* connect(broker))
  })

  const connections: Connections = {
    request: (broker, api, ...args) =>
      Effect.gen(function* () {
        const connection = yield* borrow(broker)
        const answer = yield* ask(connection, api, args).pipe(Effect.tapError(() => close(connection)))
        if (connection.isConnected()) idle.set(nameOf(broker), [...(idle.get(nameOf(broker)) ?? []), connection])
        return answer
      }).pipe(
        Effect.mapError(
          (error) =>
            new SourceError({
              message: `broker ${nameOf(broker)}: ${describeError(error)}`,
              ...(isLoginRefused(error) ? { field: "credentials" } : {})
            })
        )
      )
  }
  return connections
})
