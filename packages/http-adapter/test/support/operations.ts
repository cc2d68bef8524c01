import { ApiKeys, type CallError, Dashboards, type PipeNotFound, Pipes } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type ConnectionOptions, HttpAdapter } from "../../src/index.ts"
import { address, answers, dashboardCreate, keyCreate, management, observability, organizationId } from "./samples.ts"

export type OperationName = keyof typeof answers

export interface OperationUnderTest {
  readonly name: OperationName
  readonly method: string
  readonly path: string
  readonly creates: boolean
  readonly good: unknown
  readonly run: Effect.Effect<unknown, CallError | PipeNotFound, ApiKeys | Dashboards | Pipes>
}

const pipePath = `/v1/organizations/${organizationId}/services/${address.serviceId}/dbpipes/${address.pipeId}`

const operation = (
  name: OperationName,
  method: string,
  path: string,
  run: OperationUnderTest["run"]
): OperationUnderTest => ({ name, method, path, creates: method === "POST", good: answers[name], run })

/** Every operation of the ports, with what it puts on the wire. */
export const operations: ReadonlyArray<OperationUnderTest> = [
  operation(
    "pipes.get",
    "GET",
    pipePath,
    Pipes.use((pipes) => pipes.get(address))
  ),
  operation(
    "pipes.delete",
    "DELETE",
    pipePath,
    Pipes.use((pipes) => pipes.delete(address))
  ),
  operation(
    "keys.create",
    "POST",
    `/v1/organizations/${organizationId}/keys`,
    ApiKeys.use((keys) => keys.create(organizationId, keyCreate))
  ),
  operation(
    "dashboards.create",
    "POST",
    "/api/v2/dashboards",
    Dashboards.use((dashboards) => dashboards.create(dashboardCreate))
  ),
  operation(
    "dashboards.list",
    "GET",
    "/api/v2/dashboards",
    Dashboards.use((dashboards) => dashboards.list())
  )
]

/** All three ports at one place, with the credentials of `samples.ts`. */
export const layerPorts = (options: ConnectionOptions) =>
  Layer.merge(
    HttpAdapter.layerManagement({ ...options, ...management }),
    HttpAdapter.layerObservability({ ...options, ...observability })
  )
