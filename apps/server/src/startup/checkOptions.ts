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
  if (options.memory && Option.isSome(options.data)) {
    return yield* new StartupError({ message: "--memory and --data exclude one another: pass one of them" })
  }
  if (!isLoopback(options.host) && !options.insecureHttp) {
    return yield* new StartupError({
      message:
        `--host ${options.host} is not a loopback address, and the server speaks plain http: credentials would travel ` +
        "in clear. Put a TLS proxy in front of a loopback address, or pass --insecure-http to accept it"
    })
  }
})
