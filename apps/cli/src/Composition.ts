import { Dashboards, OrganizationId, ServiceDashboards, ServiceId } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { copy as copyDashboard } from "./dashboard/copy.ts"
import { create as createDashboard } from "./dashboard/create.ts"
import { connectionCommands, sourceCommands } from "./dashboard/documentCommands.ts"
import { remove as deleteDashboard } from "./dashboard/delete.ts"
import { get as getDashboard } from "./dashboard/get.ts"
import { list as listDashboards } from "./dashboard/list.ts"
import { update as updateDashboard } from "./dashboard/update.ts"
import { validate as validateDashboard } from "./dashboard/validate.ts"
import { globalFlags, headgate } from "./headgate.ts"
import { create as createKey } from "./key/create.ts"
import { remove as deleteKey } from "./key/delete.ts"
import { get as getKey } from "./key/get.ts"
import { list as listKeys } from "./key/list.ts"
import { update as updateKey } from "./key/update.ts"
import * as organizationCommands from "./organization/organizationCommands.ts"
import { create as createPipe } from "./pipe/create.ts"
import { remove as deletePipe } from "./pipe/delete.ts"
import { discover as discoverPipe } from "./pipe/discover.ts"
import { get as getPipe } from "./pipe/get.ts"
import { list as listPipes } from "./pipe/list.ts"
import { scale as scalePipe } from "./pipe/scale.ts"
import { resync as resyncPipe, start as startPipe, stop as stopPipe } from "./pipe/setState.ts"
import { settings as settingsOfPipe } from "./pipe/settings.ts"
import { status as statusOfPipe } from "./pipe/status.ts"
import { login } from "./profile/login.ts"
import { logout } from "./profile/logout.ts"
import { printSettings, whoami } from "./profile/whoami.ts"
import * as profileCommands from "./profile/profileCommands.ts"
import { cdcScaling } from "./service/cdcScalingCommands.ts"
import * as roleCommands from "./role/roleCommands.ts"
import * as privateEndpoint from "./service/privateEndpointCommands.ts"
import * as serviceCommands from "./service/serviceCommands.ts"
import { update as updatePipe } from "./pipe/update.ts"
import * as Setting from "./settings/Setting.ts"
import * as connection from "./settings/connection.ts"
import {
  currentDialect,
  dashboardsUrl,
  keyId,
  keySecret,
  organization,
  service,
  token,
  url
} from "./settings/settings.ts"
import { readSecret } from "./settings/stdin.ts"

// Loaded when a command needs it: help, completions and usage errors start faster without it.
const platform = Layer.unwrap(
  Effect.promise(async () => {
    const [NodeFileSystem, NodeTerminal] = await Promise.all([
      import("@effect/platform-node/NodeFileSystem"),
      import("@effect/platform-node/NodeTerminal")
    ])
    return Layer.merge(NodeFileSystem.layer, NodeTerminal.layer)
  })
).pipe(Layer.merge(Digest.layerWebCrypto), Layer.merge(SecureRandom.layerWebCrypto))

/**
 * Gives a command what it needs: the ports of an API, the platform, and its settings, which are checked first, so that one
 * message names every missing setting.
 */
const over =
  <Ports, E1, R1, E2, R2>(ports: Layer.Layer<Ports, E1, R1>, settings: Effect.Effect<void, E2, R2>) =>
  <Name extends string, Input, ContextInput, E, R>(command: Command.Command<Name, Input, ContextInput, E, R>) =>
    command.pipe(Command.provide(platform), Command.provide(ports), Command.provideEffectDiscard(settings))

const management = (version: string) =>
  connection.management(
    version,
    Effect.gen(function* () {
      return {
        baseUrl: yield* Setting.required(url),
        keyId: yield* Setting.required(keyId),
        keySecret: yield* readSecret(keySecret),
        dialect: yield* currentDialect
      }
    })
  )

const observability = (version: string) =>
  connection.observability(
    version,
    Effect.gen(function* () {
      return { baseUrl: yield* Setting.required(dashboardsUrl), token: yield* readSecret(token) }
    })
  )

const apiSettings = Setting.requireAll([url, keyId, keySecret])
const pipeSettings = Setting.requireAll([url, organization, service, keyId, keySecret])
const keySettings = Setting.requireAll([url, organization, keyId, keySecret])

/** Whether a key and a service are given, and no token: dashboards are then reached through the service. */
const isThroughService = Effect.gen(function* () {
  if (Option.isSome(yield* token.read)) return false
  return yield* Effect.match(pipeSettings, { onFailure: () => false, onSuccess: () => true })
})

const sourceSettings = Setting.requireAll([dashboardsUrl, token])

const dashboardSettings = Effect.flatMap(isThroughService, (isGiven) => (isGiven ? Effect.void : sourceSettings))

const throughService = (version: string) =>
  Layer.effect(
    Dashboards,
    Effect.gen(function* () {
      const services = yield* ServiceDashboards
      return services.of({
        organizationId: yield* Setting.decode(OrganizationId, yield* Setting.required(organization)),
        serviceId: yield* Setting.decode(ServiceId, yield* Setting.required(service))
      })
    })
  ).pipe(Layer.provide(management(version)))

/** The dashboards of the token's organization, or of the service's with a key alone. */
const dashboards = (version: string) =>
  Layer.unwrap(Effect.map(isThroughService, (isGiven) => (isGiven ? throughService(version) : observability(version))))

/** The root command with all subcommands, each with what it needs. */
export const command = (version: string) => {
  const managementApi = management(version)
  const onMachine = over(Layer.empty, Effect.void)
  const inApi = over(managementApi, apiSettings)
  const inOrganization = over(managementApi, keySettings)
  const inService = over(managementApi, pipeSettings)
  const inSources = over(observability(version), sourceSettings)
  const inDashboards = over(dashboards(version), dashboardSettings)
  return headgate.pipe(
    Command.withSubcommands([
      onMachine(login(version)),
      onMachine(logout),
      inApi(whoami).pipe(Command.provideEffectDiscard(({ explain }) => (explain ? printSettings : Effect.void))),
      Command.make("profile").pipe(
        Command.withDescription("List, choose and delete profiles: saved URLs and credentials"),
        Command.withSubcommands([
          onMachine(profileCommands.list),
          onMachine(profileCommands.use),
          onMachine(profileCommands.remove)
        ])
      ),
      Command.make("organization").pipe(
        Command.withDescription("List and read organizations"),
        Command.withSubcommands([inApi(organizationCommands.list), inOrganization(organizationCommands.get)])
      ),
      Command.make("service").pipe(
        Command.withDescription("List, read, start, stop and wake services"),
        Command.withSubcommands([
          inOrganization(serviceCommands.list),
          inService(serviceCommands.get),
          inService(serviceCommands.start),
          inService(serviceCommands.stop),
          inService(serviceCommands.wake)
        ])
      ),
      Command.make("pipe").pipe(
        Command.withDescription("List, read, create, change, start, stop, tune and delete ingestion pipes"),
        Command.withSubcommands([
          inService(listPipes),
          inService(getPipe),
          inService(createPipe),
          inService(updatePipe),
          inService(discoverPipe),
          inService(startPipe),
          inService(stopPipe),
          inService(resyncPipe),
          inService(scalePipe),
          inService(settingsOfPipe),
          inService(cdcScaling),
          inService(statusOfPipe),
          inService(deletePipe)
        ])
      ),
      Command.make("private-endpoint").pipe(
        Command.withDescription("List, read, create, change and delete reverse private endpoints"),
        Command.withSubcommands([
          inService(privateEndpoint.list),
          inService(privateEndpoint.get),
          inService(privateEndpoint.create),
          inService(privateEndpoint.update),
          inService(privateEndpoint.remove)
        ])
      ),
      Command.make("key").pipe(
        Command.withDescription("List, read, create, change and delete API keys of the organization"),
        Command.withSubcommands([
          inOrganization(listKeys),
          inOrganization(getKey),
          inOrganization(createKey),
          inOrganization(updateKey),
          inOrganization(deleteKey)
        ])
      ),
      Command.make("role").pipe(
        Command.withDescription("List, read, create, change and delete roles of the organization"),
        Command.withSubcommands([
          inOrganization(roleCommands.list),
          inOrganization(roleCommands.get),
          inOrganization(roleCommands.create),
          inOrganization(roleCommands.update),
          inOrganization(roleCommands.remove)
        ])
      ),
      Command.make("connection").pipe(
        Command.withDescription("List, read, create, replace and delete connections of dashboards"),
        Command.withSubcommands([
          inSources(connectionCommands.list),
          inSources(connectionCommands.get),
          inSources(connectionCommands.create),
          inSources(connectionCommands.update),
          inSources(connectionCommands.remove)
        ])
      ),
      Command.make("source").pipe(
        Command.withDescription("List, read, create, replace and delete data sources of dashboards"),
        Command.withSubcommands([
          inSources(sourceCommands.list),
          inSources(sourceCommands.get),
          inSources(sourceCommands.create),
          inSources(sourceCommands.update),
          inSources(sourceCommands.remove)
        ])
      ),
      Command.make("dashboard").pipe(
        Command.withDescription("List, read, create, copy, change and delete dashboards"),
        Command.withSubcommands([
          inDashboards(getDashboard),
          inDashboards(createDashboard),
          inDashboards(updateDashboard),
          inDashboards(validateDashboard),
          inDashboards(deleteDashboard),
          inDashboards(copyDashboard),
          inDashboards(listDashboards)
        ])
      )
    ]),
    Command.withGlobalFlags(globalFlags)
  )
}
