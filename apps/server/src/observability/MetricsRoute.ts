import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as IpNetwork from "effect/net/IpNetwork"
import * as NetAddress from "effect/net/NetAddress"
import { foreignCaller, forwardedBy } from "../access/localOnly.ts"
import { type Refusal, refuse } from "../http/HttpProblem.ts"
import { Metrics } from "./Metrics.ts"

const refusal: Refusal = {
  code: "FORBIDDEN",
  message: "the metrics are told to the networks that --metrics-from names"
}

const isWithin = (networks: ReadonlyArray<IpNetwork.IpNetwork>, address: string): boolean =>
  Result.match(NetAddress.ipFromString(address), {
    onFailure: () => false,
    onSuccess: (ip) => networks.some((network) => IpNetwork.contains(network, NetAddress.toCanonical(ip)))
  })

/** A request that somebody passed on, and that therefore is not from where its connection comes from. */
const isOfUnknownOrigin = (request: HttpServerRequest.HttpServerRequest): boolean =>
  Option.getOrUndefined(request.remoteAddress) === Option.getOrUndefined(request.peerAddress) &&
  forwardedBy(request) !== undefined

/** Why a request may not read the metrics, if it may not. */
const refusalOf = (
  networks: ReadonlyArray<IpNetwork.IpNetwork>,
  request: HttpServerRequest.HttpServerRequest
): Refusal | undefined => {
  if (networks.length === 0) {
    const foreign = foreignCaller("/metrics", request)
    return foreign && { ...foreign, message: `${foreign.message}; --metrics-from names who else may read them` }
  }
  const mayRead = Option.exists(request.remoteAddress, (address) => isWithin(networks, address))
  return mayRead && !isOfUnknownOrigin(request) ? undefined : refusal
}

/**
 * `GET /metrics`, in the text format of Prometheus, for callers from `networks`; if there are none, for programs of this
 * machine. What a proxy passed on is refused, unless it comes from one of the networks by way of a proxy that is trusted to
 * say so.
 */
export const layer = (networks: ReadonlyArray<IpNetwork.IpNetwork>) =>
  Layer.unwrap(
    Effect.map(Metrics, ({ text }) =>
      HttpRouter.add(
        "GET",
        "/metrics",
        Effect.gen(function* () {
          const refusal = refusalOf(networks, yield* HttpServerRequest.HttpServerRequest)
          return refusal === undefined
            ? HttpServerResponse.text(yield* text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
            : yield* refuse(refusal)
        })
      )
    )
  )
