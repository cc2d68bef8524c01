import {
  Alerts,
  ApiKeys,
  BelowService,
  CdcScaling,
  Connections,
  DashboardRoles,
  Dashboards,
  DashboardSources,
  Organizations,
  Pipes,
  ReversePrivateEndpoints,
  Roles,
  SavedSearches,
  Services,
  Snapshots,
  Webhooks
} from "@headgate/core"
import {
  Authenticator,
  ConnectionCredentials,
  ConsoleSessions,
  ConsoleSignIn,
  IdempotentCreations,
  MovedPipes,
  OrganizationConnections,
  OrganizationDashboards,
  OrganizationDocuments,
  OrganizationSources,
  PipeSimulation,
  PipeTables,
  StoredServices,
  Tokens
} from "@headgate/core/adapter"
import type * as Context from "effect/Context"
import { authenticatorLaws } from "./access/authenticatorLaws.ts"
import { consoleKeysLaws } from "./access/consoleKeysLaws.ts"
import { consoleSessionsLaws } from "./access/consoleSessionsLaws.ts"
import { consoleSignInLaws } from "./access/consoleSignInLaws.ts"
import { idempotentCreationsLaws } from "./access/idempotentCreationsLaws.ts"
import { organizationLimitsLaws } from "./access/organizationLimitsLaws.ts"
import { tokensLaws } from "./access/tokensLaws.ts"
import { validateOnlyLaws } from "./access/validateOnlyLaws.ts"
import { type VersionedNoun, versionsLaws } from "./access/versionsLaws.ts"
import { connectionCredentialsLaws } from "./dashboard/connectionCredentialsLaws.ts"
import { dashboardRolesLaws } from "./dashboard/dashboardRolesLaws.ts"
import { dashboardsLaws } from "./dashboard/dashboardsLaws.ts"
import { alertDeletionLaws } from "./dashboard/alertDeletionLaws.ts"
import { alertsLaws } from "./dashboard/alertsLaws.ts"
import { connectionsLaws, dashboardSourcesLaws } from "./dashboard/documentLaws.ts"
import { savedSearchesLaws } from "./dashboard/savedSearchesLaws.ts"
import { webhooksLaws } from "./dashboard/webhooksLaws.ts"
import { organizationDashboardsLaws } from "./dashboard/organizationDashboardsLaws.ts"
import { organizationDocumentsLaws } from "./dashboard/organizationDocumentsLaws.ts"
import { apiKeyCredentialsLaws } from "./key/apiKeyCredentialsLaws.ts"
import { apiKeysLaws } from "./key/apiKeysLaws.ts"
import { rolesLaws } from "./key/rolesLaws.ts"
import type { LawsOptions } from "./LawsOptions.ts"
import { organizationsLaws } from "./organization/organizationsLaws.ts"
import { askedSourcesLaws } from "./pipe/askedSourcesLaws.ts"
import { deletedPipesLaws } from "./pipe/deletedPipesLaws.ts"
import { pipeChangesLaws } from "./pipe/pipeChangesLaws.ts"
import { movedPipeEventsLaws } from "./pipe/movedPipeEventsLaws.ts"
import { movedPipesLaws } from "./pipe/movedPipesLaws.ts"
import { pipeEventsLaws } from "./pipe/pipeEventsLaws.ts"
import { pipeRequestsLaws } from "./pipe/pipeRequestsLaws.ts"
import { pipeStatesLaws } from "./pipe/pipeStatesLaws.ts"
import { pipeTablesLaws } from "./pipe/pipeTablesLaws.ts"
import { pipesLaws } from "./pipe/pipesLaws.ts"
import { unknownFieldsLaws } from "./pipe/unknownFieldsLaws.ts"
import { cdcScalingLaws } from "./service/cdcScalingLaws.ts"
import { reversePrivateEndpointsLaws } from "./service/reversePrivateEndpointsLaws.ts"
import { servicesLaws } from "./service/servicesLaws.ts"
import { storedServicesLaws } from "./service/storedServicesLaws.ts"
import { snapshotsLaws } from "./snapshot/snapshotsLaws.ts"

/** One suite: the ports that it needs, and its laws. */
export interface Suite<Ports> {
  readonly ports: ReadonlyArray<Context.Key<Ports, any>>
  readonly run: (options: LawsOptions<Ports>) => void
}

/** A suite does not compile without every port that its laws need. */
const suite = <Port extends Context.Key<any, any>>(
  ports: ReadonlyArray<Port>,
  run: (options: LawsOptions<Context.Service.Identifier<Port>>) => void
): Suite<Context.Service.Identifier<Port>> => ({ ports, run })

// A noun with versions does not compile without its suite.
const versions = {
  pipeVersionsLaws: suite([Pipes], (options) => versionsLaws(["pipe"], options)),
  keyVersionsLaws: suite([ApiKeys], (options) => versionsLaws(["key"], options)),
  roleVersionsLaws: suite([Roles], (options) => versionsLaws(["role"], options)),
  reversePrivateEndpointVersionsLaws: suite([ReversePrivateEndpoints], (options) =>
    versionsLaws(["reversePrivateEndpoint"], options)
  ),
  dashboardVersionsLaws: suite([Dashboards], (options) => versionsLaws(["dashboard"], options)),
  connectionVersionsLaws: suite([Connections], (options) => versionsLaws(["connection"], options)),
  sourceVersionsLaws: suite([DashboardSources], (options) => versionsLaws(["source"], options)),
  savedSearchVersionsLaws: suite([SavedSearches], (options) => versionsLaws(["savedSearch"], options)),
  webhookVersionsLaws: suite([Webhooks], (options) => versionsLaws(["webhook"], options)),
  dashboardRoleVersionsLaws: suite([BelowService(DashboardRoles)], (options) =>
    versionsLaws(["dashboardRole"], options)
  ),
  alertVersionsLaws: suite([Alerts], (options) => versionsLaws(["alert"], options))
} satisfies { readonly [Noun in VersionedNoun as `${Noun}VersionsLaws`]: unknown }

/**
 * Every suite of laws, by its name. `adapterLaws` runs all of them, and `portLaws` those of some ports; one runs alone by its `run`.
 *
 * @example
 * ```ts
 * import { suites } from "@headgate/conformance"
 * import { MemoryAdapter } from "@headgate/memory-adapter"
 *
 * export const laws = () =>
 *   suites.pipesLaws.run({ name: "memory", layer: (snapshot) => MemoryAdapter.layer({ snapshot }) })
 * ```
 */
export const suites = {
  pipesLaws: suite([Pipes], pipesLaws),
  pipeRequestsLaws: suite([Pipes], pipeRequestsLaws),
  unknownFieldsLaws: suite([Pipes, Snapshots], unknownFieldsLaws),
  pipeStatesLaws: suite([Pipes, PipeSimulation, Snapshots], pipeStatesLaws),
  movedPipesLaws: suite([MovedPipes, Pipes, PipeSimulation, Snapshots], movedPipesLaws),
  deletedPipesLaws: suite([MovedPipes, Pipes, Snapshots, StoredServices], deletedPipesLaws),
  pipeTablesLaws: suite([PipeTables, Pipes, Snapshots, StoredServices], pipeTablesLaws),
  pipeChangesLaws: suite([MovedPipes, Pipes, PipeSimulation, Snapshots, StoredServices], pipeChangesLaws),
  pipeEventsLaws: suite([ApiKeys, Pipes, PipeSimulation, Snapshots], pipeEventsLaws),
  movedPipeEventsLaws: suite([MovedPipes, Pipes, PipeSimulation], movedPipeEventsLaws),
  askedSourcesLaws: suite([ApiKeys, IdempotentCreations, Pipes, Snapshots, StoredServices], askedSourcesLaws),
  organizationsLaws: suite([Organizations], organizationsLaws),
  servicesLaws: suite([Services], servicesLaws),
  storedServicesLaws: suite([Organizations, Pipes, Services, Snapshots, StoredServices, Tokens], storedServicesLaws),
  cdcScalingLaws: suite([CdcScaling], cdcScalingLaws),
  reversePrivateEndpointsLaws: suite([ReversePrivateEndpoints], reversePrivateEndpointsLaws),
  apiKeysLaws: suite([ApiKeys], apiKeysLaws),
  apiKeyCredentialsLaws: suite([ApiKeys, Authenticator], apiKeyCredentialsLaws),
  rolesLaws: suite([ApiKeys, Roles], rolesLaws),
  dashboardsLaws: suite([Dashboards], dashboardsLaws),
  connectionsLaws: suite([Connections], connectionsLaws),
  connectionCredentialsLaws: suite([ConnectionCredentials, OrganizationConnections], connectionCredentialsLaws),
  dashboardSourcesLaws: suite([DashboardSources], dashboardSourcesLaws),
  savedSearchesLaws: suite([SavedSearches], savedSearchesLaws),
  webhooksLaws: suite([Webhooks], webhooksLaws),
  dashboardRolesLaws: suite([BelowService(DashboardRoles)], dashboardRolesLaws),
  alertsLaws: suite([Alerts], alertsLaws),
  organizationDashboardsLaws: suite([OrganizationDashboards], organizationDashboardsLaws),
  alertDeletionLaws: suite([Alerts, Dashboards, SavedSearches, Webhooks], alertDeletionLaws),
  organizationDocumentsLaws: suite(
    [OrganizationConnections, OrganizationDocuments, OrganizationSources, Snapshots],
    organizationDocumentsLaws
  ),
  organizationLimitsLaws: suite(
    [
      ApiKeys,
      OrganizationConnections,
      OrganizationDashboards,
      OrganizationDocuments,
      OrganizationSources,
      Pipes,
      ReversePrivateEndpoints,
      Roles,
      Snapshots
    ],
    organizationLimitsLaws
  ),
  authenticatorLaws: suite([Authenticator], authenticatorLaws),
  consoleSessionsLaws: suite([ConsoleSessions], consoleSessionsLaws),
  consoleSignInLaws: suite([Authenticator, ConsoleSessions, ConsoleSignIn], consoleSignInLaws),
  consoleKeysLaws: suite(
    [ApiKeys, Authenticator, ConsoleSessions, ConsoleSignIn, Snapshots, StoredServices],
    consoleKeysLaws
  ),
  tokensLaws: suite([Authenticator, Tokens], tokensLaws),
  idempotentCreationsLaws: suite([IdempotentCreations], idempotentCreationsLaws),
  validateOnlyLaws: suite(
    [
      ApiKeys,
      IdempotentCreations,
      OrganizationConnections,
      OrganizationDashboards,
      OrganizationDocuments,
      OrganizationSources,
      Pipes,
      ReversePrivateEndpoints,
      Roles,
      Snapshots
    ],
    validateOnlyLaws
  ),
  snapshotsLaws: suite(
    [
      ApiKeys,
      Authenticator,
      OrganizationConnections,
      OrganizationDashboards,
      OrganizationDocuments,
      Pipes,
      Roles,
      Snapshots,
      Tokens
    ],
    snapshotsLaws
  ),
  ...versions
}

export type SuiteName = keyof typeof suites

/** The ports that a suite needs. */
export type PortsOf<Name extends SuiteName> = (typeof suites)[Name] extends Suite<infer Ports> ? Ports : never
