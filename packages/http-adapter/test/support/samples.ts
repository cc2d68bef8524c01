import {
  type ApiKeyCreate,
  type DashboardCreate,
  OrganizationId,
  type PipeAddress,
  PipeId,
  ServiceId
} from "@headgate/core"
import * as Redacted from "effect/Redacted"

export const organizationId = OrganizationId.make("11111111-1111-4111-8111-111111111111")

export const address: PipeAddress = {
  organizationId,
  serviceId: ServiceId.make("22222222-2222-4222-8222-222222222222"),
  pipeId: PipeId.make("33333333-3333-4333-8333-333333333333")
}

export const requestId = "44444444-4444-4444-8444-444444444444"

/** What no output may ever hold. */
export const secrets = {
  keySecret: "SECRET-key-7f3a",
  token: "SECRET-token-91bc",
  newKeySecret: "SECRET-new-key-c0de"
}

export const management = { keyId: "key-id", keySecret: Redacted.make(secrets.keySecret) }
export const observability = { token: Redacted.make(secrets.token) }

export const pipe = {
  id: address.pipeId,
  serviceId: address.serviceId,
  name: "orders",
  state: "Running",
  settings: { db_max_threads: 4 },
  unheardOf: { kept: true }
}

export const dashboard = { id: "d1", name: "Errors", tiles: [{ id: "t1", x: 0, y: 0, w: 12, h: 4 }], tags: ["ops"] }

export const keyCreate: ApiKeyCreate = { name: "ci", roles: ["developer"] }
export const dashboardCreate: DashboardCreate = { name: "Errors", tiles: [{ x: 0, y: 0, w: 12, h: 4 }], tags: ["ops"] }

const envelope = (result?: unknown) => ({ status: 200, requestId, ...(result === undefined ? {} : { result }) })

/** The good answer of each operation, as the service writes it. */
export const answers = {
  "pipes.get": envelope(pipe),
  "pipes.delete": envelope(),
  "keys.create": envelope({
    key: { id: "55555555-5555-4555-8555-555555555555", name: "ci", roles: ["developer"] },
    keyId: "new-key-id",
    keySecret: secrets.newKeySecret
  }),
  "dashboards.create": { data: dashboard },
  "dashboards.list": { data: [dashboard] }
}
