import type * as Http from "node:http"

/** The largest body a request may carry, in bytes. */
export const maxBodyBytes = 1024 * 1024

/** A body above so many bytes is large: it takes milliseconds to parse. */
export const largeBodyBytes = 64 * 1024

/**
 * The most bytes of all bodies together that have arrived and are not whole yet. Above it, the connections whose bodies began
 * to arrive first are closed.
 */
export const maxReceivedBytes = 64 * 1024 * 1024

/** The most bytes of whole large bodies that wait to be parsed; a further one gets a 503. */
export const maxWaitingBytes = 32 * 1024 * 1024

/** How deeply the JSON of a body may be nested: far beyond any document of the contract. */
export const maxBodyDepth = 32

/** The most fields and elements of a body: a parsed one takes 50 bytes and more, for as few as three of the text. */
export const maxBodyValues = 100_000

/** The most fields of one object of a body: what reads an object compares its names with one another. */
export const maxObjectFields = 1000

/**
 * The longest path of a request, in characters. Each "%" of a path that cannot be decoded counts as three, and so does each ";". An ID
 * of the contract has at most 36.
 */
export const maxPathLength = 2048

/**
 * The most bytes of all responses together that wait for their clients to read. Above it, the connections that have waited
 * longest are closed.
 */
export const maxUnsentBytes = 128 * 1024 * 1024

/** The most requests that wait for an earlier one of their connection; more close the connection. */
export const maxPipelinedOfConnection = 1024

/** The same on all connections together. */
export const maxPipelined = 32_768

/** The most connections that wait to be accepted. Beyond Node's 511 a burst of them delays other clients by seconds. */
export const maxPendingConnections = 4096

/** The most connections at once; the server closes any further one. */
const maxConnections = 16_384

/**
 * Limits of a connection, in milliseconds and bytes. A client that is slow to send is disconnected.
 */
export const httpOptions = {
  maxHeaderSize: 16 * 1024,
  // Until the headers of a request have arrived.
  headersTimeout: 10_000,
  // Until the whole request has arrived.
  requestTimeout: 30_000,
  // Between two requests.
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  // The server does not use it, and Node would answer in its own format.
  requireHostHeader: false,
  // Ignore `Upgrade`: no other protocol is served. Node 24.9 and newer.
  shouldUpgradeCallback: () => false
}

/** The limit of a TLS handshake, in milliseconds. */
export const tlsOptions = { handshakeTimeout: 10_000 }

/** How long a connection may be idle, in milliseconds: it ends clients that send a request and never read. */
const idleTimeout = 30_000

/**
 * Limits the connections of a server and how long one may be idle. `answerTimeout` is how long an answer may take, in
 * milliseconds: its connection is idle until then.
 */
export const withConnectionLimits = <Server extends Http.Server>(server: Server, answerTimeout = 0): Server => {
  server.maxConnections = maxConnections
  server.timeout = idleTimeout + answerTimeout
  return server
}
