import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { createServer } from "node:net"
import { type StartupError, UsageError } from "../StartupError.ts"
import { isLoopbackName } from "../access/localOnly.ts"
import { upstreamFlagAlone } from "../gateway/gatewayFlags.ts"
import { listenFailure } from "../http/Listener.ts"
import { chooseStore } from "../store/openStore.ts"
import type { Options } from "./serveFlags.ts"

/**
 * Opens a port and closes it again: whether it can be had, before anything is done that cannot be undone, and which one it
 * is if it is 0. Nothing keeps it until the server listens.
 */
export const findPort = ({ host, port }: { readonly host: string; readonly port: number }) =>
  Effect.callback<number, StartupError>((resume) => {
    const server = createServer()
    server.once("error", (cause) => resume(Effect.fail(listenFailure(host, port, cause))))
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address()
      const found = address !== null && typeof address === "object" ? address.port : port
      server.close(() => resume(Effect.succeed(found)))
    })
    return Effect.sync(() => server.close())
  })

/** A reset must not reach further than whoever asks for it knows. */
const checkAdmin = Effect.fnUntraced(function* (options: Options) {
  if (!options.admin) {
    return options.adminPostgres
      ? yield* new UsageError({ message: "--admin-postgres goes with --admin: pass both" })
      : undefined
  }
  if (!isLoopbackName(options.host)) {
    return yield* new UsageError({
      message: `--admin lets callers in without credentials, and --host ${options.host} is not a loopback address`
    })
  }
  if (options.memory || options.adminPostgres) return
  const store = yield* chooseStore(options)
  if (store._tag === "Postgres") {
    return yield* new UsageError({
      message:
        "--admin can reset the store, and others may share a Postgres database: use --memory or --data, or pass " +
        "--admin-postgres if all that uses the database belongs to the test"
    })
  }
})

/** Refuses flags that contradict one another or would put credentials on a network in clear. */
export const checkOptions = Effect.fnUntraced(function* (options: Options) {
  const stores = [options.memory, Option.isSome(options.data), Option.isSome(options.databaseUrl)].filter(Boolean)
  if (stores.length > 1) {
    return yield* new UsageError({
      message: "--memory, --data and --database-url exclude one another: pass one of them"
    })
  }
  const alone = upstreamFlagAlone(options)
  if (alone !== undefined) return yield* new UsageError({ message: `${alone} goes with --upstream: pass both` })
  if (options.memory && options.workers > 1) {
    return yield* new UsageError({
      message: "--memory is kept by one process: leave out --workers, or keep everything with --data or --database-url"
    })
  }
  if (options.admin && options.workers > 1) {
    return yield* new UsageError({
      message: "--admin keeps its journal and its faults in one process: leave out --workers"
    })
  }
  if (Option.isSome(options.tlsCert) !== Option.isSome(options.tlsKey)) {
    return yield* new UsageError({ message: "--tls-cert and --tls-key go together: pass both" })
  }
  if (!isLoopbackName(options.host) && Option.isNone(options.tlsCert) && !options.insecureHttp) {
    return yield* new UsageError({
      message:
        `--host ${options.host} is not a loopback address, and without TLS credentials would travel in clear: ` +
        "pass --tls-cert and --tls-key, or --insecure-http to accept it"
    })
  }
  yield* checkAdmin(options)
})
