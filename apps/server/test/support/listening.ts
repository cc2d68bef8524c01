import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as HttpServer from "effect/http/HttpServer"
import * as Listener from "../../src/http/Listener.ts"
import type { HttpEffect } from "../../src/http/RequestLog.ts"
import { answerInOrder } from "../../src/http/pipelining.ts"
import { ServerUrl } from "./liveServer.ts"

const options = { host: "127.0.0.1", port: 0, tlsCert: Option.none(), tlsKey: Option.none() }

/** The server's own socket and limits, with one answer to every request. */
export const listening = (answer: HttpEffect) =>
  Layer.effect(ServerUrl, HttpServer.addressFormattedWith(Effect.succeed)).pipe(
    Layer.provide(HttpServer.serve(answerInOrder(answer))),
    Layer.provide(Listener.layer(options))
  )
