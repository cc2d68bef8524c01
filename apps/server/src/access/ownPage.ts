import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Context from "effect/Context"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpProblem } from "../http/HttpProblem.ts"
import { isLoopbackName, isOrigin, isSameAddress, parseHost } from "./requestHost.ts"

/** What this server is called, beside loopback names and the address of a connection. */
export interface ServerNames {
  /** `--host`. */
  readonly host: string
  /** `--public-url`: what a proxy in front is called. Origins, without a path. */
  readonly publicUrls: ReadonlyArray<URL>
}

/** The names of this server. */
export const ServerNames = Context.Reference<ServerNames>("headgate-server/access/ServerNames", {
  defaultValue: () => ({ host: "localhost", publicUrls: [] })
})

const hintOfFlag = "--public-url names what a proxy in front of this server is called"

const forbidden = (message: string): HttpProblem => ({ code: "FORBIDDEN", message })

const foreignHost = (port: number | undefined): HttpProblem =>
  forbidden(`host: Expected a name of this server with its port, such as localhost:${port}; ${hintOfFlag}`)

const foreignOrigin = forbidden(
  `origin: Expected this server's own, no page of another origin uses the console's sessions; ${hintOfFlag}`
)

const foreignSite = forbidden(
  "sec-fetch-site: Expected same-origin, no page of another site uses the console's sessions"
)

const nameOf = (url: URL): string | undefined => parseHost(url.host)?.name

/** The origin by which a request reached this server itself; `undefined` if `Host` is not its name. */
const directOrigin = (request: HttpServerRequest, { host: ownHost }: ServerNames): string | undefined => {
  const { host = "" } = request.headers
  const asked = parseHost(host)
  const { socket } = NodeHttpServerRequest.toIncomingMessage(request)
  const [scheme, defaultPort] = "encrypted" in socket ? ["https", 443] : ["http", 80]
  if (asked === undefined || (asked.port ?? defaultPort) !== socket.localPort) return undefined
  const { name } = asked
  return isLoopbackName(name) || name === ownHost.toLowerCase() || isSameAddress(name, socket.localAddress ?? "")
    ? `${scheme}://${host}`
    : undefined
}

/**
 * The problem of a request that uses a session of the console and may come from a page that is not this server's: under a name that
 * resolves to this address (DNS rebinding), or of another origin (CSRF). A browser cannot be told to leave out or to forge any of the
 * three headers; a program sends `Host` alone. `none` in `Sec-Fetch-Site` is no page of this server: its `fetch` sends `same-origin`.
 */
export const requireOwnPage = (request: HttpServerRequest, names: ServerNames): HttpProblem | undefined => {
  const { host = "", origin, "sec-fetch-site": site } = request.headers
  const direct = directOrigin(request, names)
  const name = parseHost(host)?.name
  // By its name alone: many proxies leave out the port.
  const isPublic = name !== undefined && names.publicUrls.some((url) => nameOf(url) === name)
  if (direct === undefined && !isPublic) {
    return foreignHost(NodeHttpServerRequest.toIncomingMessage(request).socket.localPort)
  }
  // A proxy may send another `Host` than the browser does.
  const isOwn =
    origin === undefined ||
    names.publicUrls.some((url) => url.origin === origin) ||
    (direct !== undefined && isOrigin(origin, direct))
  if (!isOwn) return foreignOrigin
  return site === undefined || site === "same-origin" ? undefined : foreignSite
}
