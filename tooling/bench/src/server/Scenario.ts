import { dashboardBody, first, keyBody, organizations, type Organization, pipeId } from "./World.ts"

/** One kind of request, asked over and over. */
export interface Scenario {
  readonly name: string
  /** A contestant that creates is started anew for each round, so that every round begins with the same store. */
  readonly creates: boolean
  readonly method: "GET" | "POST"
  readonly body: string | undefined
  /** The requests take turns: the load begins again with the first after the last. */
  readonly targets: ReadonlyArray<{ readonly path: string; readonly authorization: string }>
  /** The most it may cost, as a multiple of what it costs Fastify and raw node:http. */
  readonly atMost: { readonly fastify: number; readonly raw?: number }
}

export const basic = ({ keyId, keySecret }: Organization): string =>
  `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`

export const bearer = ({ token }: Organization): string => `Bearer ${token}`

export const pipePath = (id: string = pipeId): string =>
  `/v1/organizations/${first.id}/services/${first.serviceId}/dbpipes/${id}`

export const keysPath = (organization: Organization): string => `/v1/organizations/${organization.id}/keys`

export const dashboardsPath = "/api/v2/dashboards"

export const getPipe: Scenario = {
  name: "GET pipe",
  creates: false,
  method: "GET",
  body: undefined,
  targets: [{ path: pipePath(), authorization: basic(first) }],
  atMost: { fastify: 1, raw: 1.4 }
}

const postKey: Scenario = {
  name: "POST key",
  creates: true,
  method: "POST",
  body: JSON.stringify(keyBody),
  // An organization may have 100 keys.
  targets: organizations.map((organization) => ({
    path: keysPath(organization),
    authorization: basic(organization)
  })),
  atMost: { fastify: 1.2 }
}

const postDashboard: Scenario = {
  name: "POST dashboard",
  creates: true,
  method: "POST",
  body: JSON.stringify(dashboardBody),
  targets: [{ path: dashboardsPath, authorization: bearer(first) }],
  atMost: { fastify: 1.2 }
}

export const scenarios: ReadonlyArray<Scenario> = [getPipe, postKey, postDashboard]
