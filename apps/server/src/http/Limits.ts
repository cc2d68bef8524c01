import type * as Http from "node:http"

/** The largest body a request may carry, in bytes. */
export const maxBodyBytes = 1024 * 1024

/** How deeply the JSON of a body may be nested: far beyond any document of the contract. */
export const maxBodyDepth = 32

/** How many connections are held at once; more are closed as they come. */
const maxConnections = 16_384

/**
 * What a client may take of the server, and for how long: a slow one is closed, whatever it is slow with. Times in
 * milliseconds, sizes in bytes.
 */
export const httpOptions = {
  maxHeaderSize: 16 * 1024,
  // Until the head of a request is there, from the first byte or, on a fresh connection, from the start.
  headersTimeout: 10_000,
  // Until the whole request is there.
  requestTimeout: 30_000,
  // Between two requests.
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  // Nothing here depends on it, and Node would answer for itself.
  requireHostHeader: false,
  // Nothing here is upgraded to another protocol: the header is passed over. Node 24.9 and newer.
  shouldUpgradeCallback: () => false
}

/** The same for a TLS handshake, in milliseconds. */
export const tlsOptions = { handshakeTimeout: 10_000 }

/** How long nothing may move on a connection, in milliseconds: a client that asks and never reads is closed too. */
const silenceTimeout = 30_000

/**
 * Bounds how many connections a server holds, and how long a silent one. `patience`, in milliseconds, is how long an
 * answer may take to be made: until then its connection is silent through no fault of the client.
 */
export const bounded = <Server extends Http.Server>(server: Server, patience = 0): Server => {
  server.maxConnections = maxConnections
  server.timeout = silenceTimeout + patience
  return server
}
