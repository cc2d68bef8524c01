import { OrganizationId, Pipe, PipeId, Pipes, ServiceId } from "@headgate/core"
import { HttpAdapter } from "@headgate/http-adapter"
import * as Effect from "effect/Effect"
import type { HttpClient } from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Work } from "../measure/Contestant.ts"
import { baseUrl, clientWork } from "./clientWork.ts"
import { keyId, keySecret, organizationId, serviceId } from "./served.ts"

/** The port over an HTTP client, as it comes: retries, timeouts, checks of both sides, secrets that show nowhere. */
export const headgateWork = async (client: Layer.Layer<HttpClient>): Promise<Work> => {
  const management = HttpAdapter.layerManagement({
    baseUrl: baseUrl(),
    keyId,
    keySecret: Redacted.make(keySecret)
  }).pipe(Layer.provide(client))
  const runtime = ManagedRuntime.make(management)
  const pipes = await runtime.runPromise(Pipes.use(Effect.succeed))
  const address = { organizationId: OrganizationId.make(organizationId), serviceId: ServiceId.make(serviceId) }
  return clientWork({
    checks: true,
    hasManners: true,
    // A promise for each call, as whoever has no Effect of his own would ask for.
    read: (pipeId) => Effect.runPromise(pipes.get({ ...address, pipeId: PipeId.make(pipeId) })),
    toDocument: Schema.encodeUnknownSync(Pipe)
  })
}
