import { HttpAgent, layerNodeHttpNoAgent } from "@effect/platform-node/NodeHttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Agent as HttpAgentOfNode } from "node:http"
import type { Agent as HttpsAgentOfNode } from "node:https"
import * as RequestLog from "./RequestLog.ts"

// The agent of the URL's protocol alone: node:https loads TLS, a twentieth of what a command costs.
const layerAgents = (proxyEnv: NodeJS.Dict<string>) =>
  Layer.effect(
    HttpAgent,
    Effect.sync(() => {
      let http: HttpAgentOfNode | undefined
      let https: HttpsAgentOfNode | undefined
      return {
        get http() {
          return (http ??= new (process.getBuiltinModule("node:http").Agent)({ proxyEnv }))
        },
        get https() {
          return (https ??= new (process.getBuiltinModule("node:https").Agent)({ proxyEnv }))
        }
      }
    })
  )

/** The client of every request. It is node:http, because the first use of fetch costs as much as the rest of a request. */
export const layerHttpClient = (proxyEnv: NodeJS.Dict<string>) =>
  RequestLog.layer.pipe(Layer.provide(layerNodeHttpNoAgent), Layer.provide(layerAgents(proxyEnv)))
