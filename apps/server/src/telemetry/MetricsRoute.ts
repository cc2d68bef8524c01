import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as IpNetwork from "effect/net/IpNetwork"
import * as NetAddress from "effect/net/NetAddress"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { refuse } from "../http/errorResponse.ts"
import { Metrics } from "./Metrics.ts"

/** Who may read the metrics unless `--metrics-from` says otherwise: callers on the same machine. */
export const loopback = [IpNetwork.fromStringUnsafe("127.0.0.0/8"), IpNetwork.fromStringUnsafe("::1/128")]

const refusal = {
  code: "FORBIDDEN",
  message: "the metrics are told to callers of this machine, or of the networks that --metrics-from names"
} as const

const isWithin = (networks: ReadonlyArray<IpNetwork.IpNetwork>, address: string): boolean =>
  Result.match(NetAddress.ipFromString(address), {
    onFailure: () => false,
    onSuccess: (ip) => networks.some((network) => IpNetwork.contains(network, NetAddress.toCanonical(ip)))
  })

const forwardedBy = ["x-forwarded-for", "forwarded", "x-real-ip", "via"]

/** A request that somebody passed on, and that therefore is not from where its connection comes from. */
const isOfUnknownOrigin = ({ headers, peerAddress, remoteAddress }: HttpServerRequest.HttpServerRequest): boolean =>
  Option.getOrUndefined(remoteAddress) === Option.getOrUndefined(peerAddress) &&
  forwardedBy.some((name) => headers[name] !== undefined)

/**
 * `GET /metrics`, in the text format of Prometheus, for callers from `networks`. What a proxy passed on is refused,
 * unless the proxy is trusted to say where it came from.
 */
export const layer = (networks: ReadonlyArray<IpNetwork.IpNetwork>) =>
  Layer.unwrap(
    Effect.map(Metrics, ({ text }) =>
      HttpRouter.add(
        "GET",
        "/metrics",
        Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const mayRead = Option.exists(request.remoteAddress, (address) => isWithin(networks, address))
          return mayRead && !isOfUnknownOrigin(request)
            ? HttpServerResponse.text(yield* text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
            : yield* refuse(refusal)
        })
      )
    )
  )
