import {
  Dashboard,
  type InvalidRequest,
  OrganizationId,
  Pipe,
  ServiceId,
  Snapshot as CoreSnapshot
} from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Input, invalidInput, validateInput } from "../Input.ts"
import type { Plain } from "../Plain.ts"

/** The whole state of a service as one document, as `headgate-server export` writes it in the neutral dialect. */
export type Snapshot = Plain<CoreSnapshot>

/** A snapshot as a test writes it: a time may be a `Date`, a secret a string. */
export type SnapshotInput = Input<CoreSnapshot>

/** A pipe as a test writes it: a time may be a `Date`, a secret a string. */
export type PipeInput = Input<Pipe>

/** A dashboard as a test writes it. */
export type DashboardInput = Input<Dashboard>

/** The initial content of a test client: a snapshot, or pipes and dashboards, or both. Absent: nothing. */
export interface TestClientOptions {
  /** The whole content. */
  readonly snapshot?: SnapshotInput | undefined
  /**
   * The organization of `pipes` and `dashboards` below, whose dashboards the client returns. Absent: the first one of
   * the snapshot, or {@link sampleOrganizationId}. It is also the organization of requests that name none.
   */
  readonly organizationId?: string | undefined
  /** The service of requests that name none, as of `createClient`. Absent: each names its own. */
  readonly serviceId?: string | undefined
  /** Pipes, each in the service that its `serviceId` names. */
  readonly pipes?: ReadonlyArray<PipeInput> | undefined
  /** Dashboards of the organization. */
  readonly dashboards?: ReadonlyArray<DashboardInput> | undefined
}

/** The organization of a test that names none. */
export const sampleOrganizationId = "00000000-0000-4000-8000-000000000001"

/** The decoded {@link TestClientOptions}: snapshots to import, and the organization whose dashboards are returned. */
export interface Seed {
  readonly organizationId: OrganizationId
  readonly serviceId: ServiceId | undefined
  readonly snapshots: ReadonlyArray<CoreSnapshot>
}

const fields = {
  snapshot: Schema.optionalKey(CoreSnapshot),
  organizationId: Schema.optionalKey(OrganizationId),
  serviceId: Schema.optionalKey(ServiceId),
  pipes: Schema.optionalKey(Schema.Array(Pipe)),
  dashboards: Schema.optionalKey(Schema.Array(Dashboard))
}

const validate = validateInput(Schema.Struct(fields).annotate({ message: "Expected the options of a test client" }))

// Only the options themselves: a pipe or a dashboard may have fields that no schema names.
const unknownOptions = (options: TestClientOptions) =>
  Object.keys(options)
    .filter((name) => !Object.hasOwn(fields, name))
    .map((path) => ({ path, message: `Expected one of ${Object.keys(fields).join(", ")}` }))

const servicesOf = (pipes: ReadonlyArray<Pipe>) =>
  Array.from(new Set(pipes.map(({ serviceId }) => serviceId)), (id) => ({
    id,
    name: "service",
    pipes: pipes.filter(({ serviceId }) => serviceId === id)
  }))

/** Decodes the options. Fails with `InvalidRequest`, which names every wrong field: `pipes[0].id`. */
export const readSeed = (options: TestClientOptions): Effect.Effect<Seed, InvalidRequest> =>
  Effect.flatMap(validate(options), ({ dashboards, organizationId, pipes, serviceId, snapshot }) => {
    const issues = unknownOptions(options)
    if (issues.length > 0) return Effect.fail(invalidInput(issues))
    const id = organizationId ?? snapshot?.organizations[0]?.id ?? OrganizationId.make(sampleOrganizationId)
    const named = { id, name: "organization", services: servicesOf(pipes ?? []), dashboards: dashboards ?? [] }
    return Effect.succeed({
      organizationId: id,
      serviceId,
      snapshots: [...(snapshot ? [snapshot] : []), { organizations: [named] }]
    })
  })
