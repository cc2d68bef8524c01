import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as IpNetwork from "effect/net/IpNetwork"
import * as NetAddress from "effect/net/NetAddress"
import { forwardingHeader, requireLocalCaller } from "../access/localOnly.ts"
import type { Route } from "../http/Dispatcher.ts"
import { type HttpProblem, respondWith } from "../http/HttpProblem.ts"
import { Metrics } from "./Metrics.ts"

const forbidden: HttpProblem = {
  code: "FORBIDDEN",
  message: "only the networks of --metrics-from may read the metrics"
}

const isWithin = (networks: ReadonlyArray<IpNetwork.IpNetwork>, address: string): boolean =>
  Result.match(NetAddress.ipFromString(address), {
    onFailure: () => false,
    onSuccess: (ip) => networks.some((network) => IpNetwork.contains(network, NetAddress.toCanonical(ip)))
  })

/** Whether a proxy that is not trusted forwarded the request: the address of the connection is not the caller's. */
const isForwarded = (request: HttpServerRequest.HttpServerRequest): boolean =>
  Option.getOrUndefined(request.remoteAddress) === Option.getOrUndefined(request.peerAddress) &&
  forwardingHeader(request) !== undefined

/** Why a request may not read the metrics; `undefined` if it may. */
const problemOf = (
  networks: ReadonlyArray<IpNetwork.IpNetwork>,
  request: HttpServerRequest.HttpServerRequest
): HttpProblem | undefined => {
  if (networks.length === 0) {
    const foreign = requireLocalCaller("/metrics", request)
    return foreign && { ...foreign, message: `${foreign.message}; --metrics-from names who else may read them` }
  }
  const mayRead = Option.exists(request.remoteAddress, (address) => isWithin(networks, address))
  return mayRead && !isForwarded(request) ? undefined : forbidden
}

/**
 * `GET /metrics`, in the Prometheus text format, for callers in `networks`, or for programs on this machine if there are
 * none. A request that a proxy forwarded is rejected, unless the proxy is trusted and the caller is in `networks`.
 */
export const metricsRoute = (networks: ReadonlyArray<IpNetwork.IpNetwork>) =>
  Effect.map(Metrics, ({ text }): Route => ({
    method: "GET",
    path: "/metrics",
    answer: (request) => {
      const problem = problemOf(networks, request)
      return problem === undefined
        ? Effect.map(text, (body) =>
            HttpServerResponse.text(body, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
          )
        : respondWith(problem)
    }
  }))
