import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { createServer } from "node:net"
import { type StartupError, UsageError } from "../StartupError.ts"
import { isLoopbackName } from "../access/requestHost.ts"
import type { AdminToken } from "../admin/adminToken.ts"
import { checkCharts } from "../chart/checkCharts.ts"
import { isGateway, upstreamFlagAlone } from "../gateway/gatewayFlags.ts"
import { listenFailure } from "../http/Listener.ts"
import { warehouseName } from "../mover/moverFlags.ts"
import { chooseStore, isSharedStore } from "../store/chooseStore.ts"
import { hasConsole, type Options } from "./serveFlags.ts"

/**
 * Checks that a port is free, by opening and closing it, so that a start fails before it changes anything. Another program may
 * still take it before the server listens.
 */
export const checkPort = ({ host, port }: { readonly host: string; readonly port: number }) =>
  Effect.callback<void, StartupError>((resume) => {
    const server = createServer()
    server.once("error", (cause) => resume(Effect.fail(listenFailure(host, port, cause))))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resume(Effect.void)))
    return Effect.sync(() => server.close())
  })

const usageError = (message: string) => new UsageError({ message })

const checkStore = Effect.fnUntraced(function* ({ data, databaseUrl, memory }: Options) {
  const stores = [memory, Option.isSome(data), Option.isSome(databaseUrl)].filter(Boolean)
  if (stores.length > 1) {
    return yield* usageError("--memory, --data and --database-url exclude one another: pass one of them")
  }
})

const checkTls = Effect.fnUntraced(function* ({ host, insecureHttp, tlsCert, tlsKey }: Options) {
  if (Option.isSome(tlsCert) !== Option.isSome(tlsKey)) {
    return yield* usageError("--tls-cert and --tls-key go together: pass both")
  }
  if (!isLoopbackName(host) && Option.isNone(tlsCert) && !insecureHttp) {
    return yield* usageError(
      `--host ${host} is not a loopback address, and without TLS credentials would travel in clear: ` +
        "pass --tls-cert and --tls-key, or --insecure-http to accept it"
    )
  }
})

/**
 * `--admin` needs no credentials without an admin token, and can reset the store: it is for loopback addresses and stores that nobody
 * shares.
 */
const checkAdmin = Effect.fnUntraced(function* (options: Options, adminToken: AdminToken) {
  const token = yield* adminToken
  if (!options.admin) {
    const alone = [
      options.adminPostgres ? "--admin-postgres" : undefined,
      Option.isSome(options.adminTokenFile) ? "--admin-token-file" : undefined
    ].find((flag) => flag !== undefined)
    return alone === undefined ? undefined : yield* usageError(`${alone} goes with --admin: pass both`)
  }
  if (!isLoopbackName(options.host) && Option.isNone(token)) {
    return yield* usageError(
      `--admin lets callers in without credentials, and --host ${options.host} is not a loopback address: ` +
        "pass --admin-token-file, or set HEADGATE_ADMIN_TOKEN"
    )
  }
  if (options.memory || options.adminPostgres) return
  const store = yield* chooseStore(options)
  if (store._tag === "Postgres") {
    return yield* usageError(
      "--admin can reset the store, and others may share a Postgres database: use --memory or --data, or pass " +
        "--admin-postgres if all that uses the database belongs to the test"
    )
  }
})

const checkMover = Effect.fnUntraced(function* (options: Options) {
  const { allowSource, host, insecureWarehouse, role, simulateUnsupported, trustStorage } = options
  const { warehouse, warehouses } = options
  if (Option.isNone(warehouseName(options))) {
    const alone = [
      insecureWarehouse ? "--insecure-warehouse" : undefined,
      simulateUnsupported ? "--simulate-unsupported" : undefined,
      role === "all" ? undefined : "--role",
      allowSource.length > 0 ? "--allow-source" : undefined,
      trustStorage.length > 0 ? "--trust-storage" : undefined
    ].find((flag) => flag !== undefined)
    return alone === undefined ? undefined : yield* usageError(`${alone} goes with --warehouse or --warehouses`)
  }
  if (Option.isSome(warehouse) && Option.isSome(warehouses)) {
    return yield* usageError("--warehouse and --warehouses exclude one another: name the warehouse * in the file")
  }
  if (isGateway(options)) {
    return yield* usageError("a gateway stores no pipes: leave out --warehouse, or --upstream")
  }
  if (role !== "all" && !(yield* isSharedStore(options))) {
    return yield* usageError(`--role ${role} is for several servers over one Postgres: pass --database-url`)
  }
  if (!isLoopbackName(host) && allowSource.length === 0) {
    return yield* usageError(
      `--host ${host} is not a loopback address, and callers choose what pipes read from: pass --allow-source for each host or network`
    )
  }
})

// The name of a URL has an IPv6 address in brackets.
const isLoopbackUrl = (hostname: string): boolean => isLoopbackName(hostname.replaceAll(/[[\]]/g, ""))

const checkUnknownFields = (options: Options) =>
  isGateway(options) && options.unknownFields === "keep"
    ? usageError("a gateway passes unknown fields on: leave out --unknown-fields, or --upstream")
    : Effect.void

const checkTestCredentials = (options: Options) =>
  options.testCredentials && isGateway(options)
    ? usageError("--test-credentials lets everybody in, and a gateway has the upstream's data: leave out one of them")
    : Effect.void

const checkPublicUrl = Effect.fnUntraced(function* (options: Options) {
  const [first] = options.publicUrl
  if (first === undefined) return
  if (!hasConsole(options)) {
    return yield* usageError(
      "--public-url is for the console, which a gateway, --role mover and --console off do not have"
    )
  }
  const inClear = options.publicUrl.find(({ hostname, protocol }) => protocol === "http:" && !isLoopbackUrl(hostname))
  if (inClear !== undefined && !options.insecureHttp) {
    return yield* usageError(
      `--public-url ${inClear.origin} is plain http, on which sessions would travel in clear: ` +
        "name an https URL, or pass --insecure-http to accept it"
    )
  }
})

/** Fails with `UsageError` for flags that contradict one another, or that would send credentials over a network in clear. */
export const checkOptions = Effect.fnUntraced(function* (options: Options, adminToken: AdminToken) {
  yield* checkStore(options)
  const alone = upstreamFlagAlone(options)
  if (alone !== undefined) return yield* usageError(`${alone} goes with --upstream: pass both`)
  yield* checkTls(options)
  yield* checkAdmin(options, adminToken)
  yield* checkMover(options)
  yield* checkCharts(options)
  yield* checkUnknownFields(options)
  yield* checkTestCredentials(options)
  yield* checkPublicUrl(options)
})
