import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import * as HttpServer from "effect/http/HttpServer"
import { createPrivateKey, X509Certificate } from "node:crypto"
import { readFileSync } from "node:fs"
import * as Http from "node:http"
import * as Https from "node:https"
import { StartupError } from "../StartupError.ts"
import {
  httpOptions,
  maxPendingConnections,
  maxReceivedBytes,
  maxUnsentBytes,
  tlsOptions,
  withConnectionLimits
} from "./Limits.ts"
import { makeReceivedBytes, type ReceivedBytes } from "./ReceivedBytes.ts"
import { ParseErrorObservers } from "./RequestLog.ts"
import { Shutdown, withShutdown } from "./Shutdown.ts"
import { makeUnsentBytes, type UnsentBytes } from "./UnsentBytes.ts"
import { answerParseErrors } from "./parseErrors.ts"

const reason = (cause: unknown): string => (Predicate.isError(cause) ? cause.message : String(cause))

const isTaken = (cause: unknown): boolean => Predicate.hasProperty(cause, "code") && cause.code === "EADDRINUSE"

/** The error of a socket that could not be opened. */
export const listenFailure = (host: string, port: number, cause: unknown): StartupError =>
  new StartupError({
    message: isTaken(cause)
      ? `another program listens on ${host}, port ${port}: pass another --port`
      : `could not listen on ${host}, port ${port}: ${reason(cause)}`
  })

/** Where to listen, and with which certificate: plain http without one. */
export interface ListenerOptions {
  readonly host: string
  readonly port: number
  readonly tlsCert: Option.Option<string>
  readonly tlsKey: Option.Option<string>
  /** How long an answer may take, in milliseconds, beyond the idle timeout of a connection. Default: 0. */
  readonly answerTimeout?: number
}

interface CertificateFiles {
  readonly cert: string
  readonly key: string
}

const certificateFiles = ({ tlsCert, tlsKey }: ListenerOptions): Option.Option<CertificateFiles> =>
  Option.all({ cert: tlsCert, key: tlsKey })

const fileError = (flag: string, path: string, why: string) => new StartupError({ message: `${flag} ${path}: ${why}` })

const readFlagFile = (flag: string, path: string) =>
  Effect.try({ try: () => readFileSync(path), catch: (cause) => fileError(flag, path, reason(cause)) })

/** Reads the certificate and its key. The errors of OpenSSL name neither the file nor what to do. */
const readCertificate = Effect.fnUntraced(function* (files: CertificateFiles) {
  const cert = yield* readFlagFile("--tls-cert", files.cert)
  const key = yield* readFlagFile("--tls-key", files.key)
  const certificate = yield* Effect.try({
    try: () => new X509Certificate(cert),
    catch: () => fileError("--tls-cert", files.cert, "the file has no certificate: pass one in PEM format")
  })
  const privateKey = yield* Effect.try({
    try: () => createPrivateKey(key),
    catch: () =>
      fileError("--tls-key", files.key, "the file has no private key: pass one in PEM format, without a passphrase")
  })
  return certificate.checkPrivateKey(privateKey)
    ? { cert, key }
    : yield* fileError(
        "--tls-key",
        files.key,
        "the key does not belong to the certificate of --tls-cert: pass the one that does"
      )
})

/** Fails with `StartupError` if the certificate or its key cannot be used, so that a start fails before it changes anything. */
export const checkCertificate = (options: ListenerOptions): Effect.Effect<void, StartupError> =>
  Option.match(certificateFiles(options), {
    onNone: () => Effect.void,
    onSome: (files) => Effect.asVoid(readCertificate(files))
  })

/** An https server that reloads its certificate on SIGHUP. If the new one is invalid, it keeps the old one. */
const httpsServer = Effect.fnUntraced(function* (files: CertificateFiles, options: Http.ServerOptions) {
  const certificate = yield* readCertificate(files)
  const server = yield* Effect.try({
    try: () => Https.createServer({ ...httpOptions, ...tlsOptions, ...options, ...certificate }),
    catch: (cause) =>
      new StartupError({ message: `--tls-cert ${files.cert}, --tls-key ${files.key}: ${reason(cause)}` })
  })
  const reload = readCertificate(files).pipe(
    Effect.mapError(({ message }) => message),
    Effect.flatMap((certificate) => Effect.try({ try: () => server.setSecureContext(certificate), catch: reason })),
    Effect.matchEffect({
      onSuccess: () => Effect.logInfo("the TLS certificate was read again"),
      onFailure: (why) => Effect.logError(`the TLS certificate could not be read, the old one is kept: ${why}`)
    })
  )
  const context = yield* Effect.context<never>()
  const onSignal = () => void Effect.runForkWith(context)(reload)
  yield* Effect.acquireRelease(
    Effect.sync(() => process.on("SIGHUP", onSignal)),
    () => Effect.sync(() => process.off("SIGHUP", onSignal))
  )
  return server
})

/**
 * Responses whose unsent bytes are bounded. Once `isEnding`, they close their connection, so that the client opens another
 * one elsewhere.
 */
const responses = (isEnding: () => boolean, unsent: UnsentBytes): Http.ServerOptions => ({
  // Each method has all of Node's signatures.
  ServerResponse: class<Request extends Http.IncomingMessage> extends Http.ServerResponse<Request> {
    override writeHead(status: number, reasonOrHeaders?: any, headers?: any): this {
      if (isEnding()) this.setHeader("connection", "close")
      return super.writeHead(status, reasonOrHeaders, headers)
    }

    override write(chunk: any, encoding?: any, callback?: any): boolean {
      const isDrained = super.write(chunk, encoding, callback)
      unsent.written(this)
      return isDrained
    }

    override end(chunk?: any, encoding?: any, callback?: any): this {
      super.end(chunk, encoding, callback)
      unsent.written(this)
      return this
    }
  }
})

/** Requests whose bodies count among the received bytes, whether they are read or not. */
const requests = (received: ReceivedBytes): Http.ServerOptions => ({
  IncomingMessage: class extends Http.IncomingMessage {
    override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
      if (chunk !== null) received.arrived(this, chunk.length)
      return super.push(chunk, encoding)
    }
  }
})

/** The socket opens before the routes are built: requests that arrive in between wait for them. */
const holdingEarlyRequests = (server: Http.Server): Http.Server => {
  const early: Array<Parameters<Http.RequestListener>> = []
  const hold = (...request: Parameters<Http.RequestListener>) => void early.push(request)
  server.prependListener("request", hold)
  const onListener = (event: string) => {
    if (event !== "request") return
    server.off("newListener", onListener)
    server.off("request", hold)
    // Node emits the event before it adds the listener.
    setImmediate(() => {
      for (const request of early) server.emit("request", ...request)
    })
  }
  return server.on("newListener", onListener)
}

/** The scheme of the server's own URL. */
export const schemeOf = (options: ListenerOptions): "http" | "https" =>
  Option.isSome(certificateFiles(options)) ? "https" : "http"

/**
 * The socket with its limits and its shutdown. Fails with `StartupError` if it cannot be opened or the certificate is
 * invalid.
 */
export const layer = (options: ListenerOptions) => {
  const { host, port } = options
  return Layer.unwrap(
    Effect.gen(function* () {
      const files = certificateFiles(options)
      const { server, shutdown } = yield* withShutdown<StartupError, Scope.Scope>((isEnding) => {
        const own = {
          ...requests(makeReceivedBytes(maxReceivedBytes)),
          ...responses(isEnding, makeUnsentBytes(maxUnsentBytes))
        }
        return Option.isSome(files)
          ? httpsServer(files.value, own)
          : Effect.sync(() => Http.createServer({ ...httpOptions, ...own }))
      })
      const observers = yield* ParseErrorObservers
      const bound = holdingEarlyRequests(withConnectionLimits(server, options.answerTimeout))
      return NodeHttpServer.layerServer(() => answerParseErrors(bound, observers), {
        host,
        port,
        backlog: maxPendingConnections
      }).pipe(
        // No route sends a file: Node's file system is not needed.
        Layer.provideMerge(HttpServer.layerServices),
        Layer.provideMerge(Layer.succeed(Shutdown, shutdown))
      )
    })
  ).pipe(Layer.catchTag("ServeError", ({ cause }) => Layer.effectContext(listenFailure(host, port, cause))))
}
