import * as Effect from "effect/Effect"
import * as NetAddress from "effect/net/NetAddress"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Options } from "../Options.ts"
import { StartupError } from "./StartupError.ts"

const isLoopback = (host: string): boolean => {
  const address = Result.getOrUndefined(NetAddress.ipFromString(host))
  return host === "localhost" || (address !== undefined && NetAddress.isLoopback(address))
}

/** Refuses flags that contradict one another or would put credentials on a network in clear. */
export const checkOptions = Effect.fnUntraced(function* (options: Options) {
  const stores = [options.memory, Option.isSome(options.data), Option.isSome(options.databaseUrl)].filter(Boolean)
  if (stores.length > 1) {
    return yield* new StartupError({
      message: "--memory, --data and --database-url exclude one another: pass one of them"
    })
  }
  if (options.memory && options.workers > 1) {
    return yield* new StartupError({
      message: "--memory is kept by one process: leave out --workers, or keep everything with --data or --database-url"
    })
  }
  if (Option.isSome(options.tlsCert) !== Option.isSome(options.tlsKey)) {
    return yield* new StartupError({ message: "--tls-cert and --tls-key go together: pass both" })
  }
  if (!isLoopback(options.host) && Option.isNone(options.tlsCert) && !options.insecureHttp) {
    return yield* new StartupError({
      message:
        `--host ${options.host} is not a loopback address, and without TLS credentials would travel in clear: ` +
        "pass --tls-cert and --tls-key, or --insecure-http to accept it"
    })
  }
})
