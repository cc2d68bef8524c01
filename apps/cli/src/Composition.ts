import { ApiKeys, Dashboards, Organizations, Pipes, ServiceDashboards, Services } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { serviceAddress } from "./address/nouns.ts"
import { api, isObservability, RawApi } from "./api/api.ts"
import { copy as copyDashboard } from "./dashboard/copy.ts"
import { create as createDashboard } from "./dashboard/create.ts"
import {
  alertCommands,
  connectionCommands,
  savedSearchCommands,
  sourceCommands,
  webhookCommands
} from "./dashboard/documentCommands.ts"
import { remove as deleteDashboard } from "./dashboard/delete.ts"
import { get as getDashboard, readDashboard } from "./dashboard/get.ts"
import { list as listDashboards } from "./dashboard/list.ts"
import { preview as previewDashboard } from "./dashboard/preview.ts"
import { update as updateDashboard } from "./dashboard/update.ts"
import { validate as validateDashboard } from "./dashboard/validate.ts"
import * as completion from "./completion/completeValues.ts"
import { completion as printCompletion } from "./completion/completionCommand.ts"
import { completeValues } from "./completion/completionRun.ts"
import { apply } from "./files/apply.ts"
import { diff } from "./files/diff.ts"
import { exportFiles } from "./files/export.ts"
import { schema } from "./files/schema.ts"
import { globalFlags, headgate } from "./headgate.ts"
import { create as createKey } from "./key/create.ts"
import { remove as deleteKey } from "./key/delete.ts"
import { get as getKey } from "./key/get.ts"
import { list as listKeys } from "./key/list.ts"
import { rotate as rotateKey } from "./key/rotate.ts"
import { update as updateKey } from "./key/update.ts"
import * as organizationCommands from "./organization/organizationCommands.ts"
import { adopt as adoptPipe } from "./pipe/adopt.ts"
import { create as createPipe } from "./pipe/create.ts"
import { remove as deletePipe } from "./pipe/delete.ts"
import { discover as discoverPipe } from "./pipe/discover.ts"
import { get as getPipe } from "./pipe/get.ts"
import { list as listPipes } from "./pipe/list.ts"
import { rename as renamePipe } from "./pipe/rename.ts"
import { resume as resumePipe } from "./pipe/resume.ts"
import { scale as scalePipe } from "./pipe/scale.ts"
import { resync as resyncPipe, start as startPipe, stop as stopPipe } from "./pipe/setState.ts"
import { settings as settingsOfPipe } from "./pipe/settings.ts"
import { status as statusOfPipe } from "./pipe/status.ts"
import { wait as waitForPipe } from "./pipe/wait.ts"
import { watch as watchPipe } from "./pipe/watch.ts"
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
  apiSettings,
  currentDialect,
  dashboardsUrl,
  isTokenAlone,
  keyId,
  keySecret,
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

const managementSettings = Setting.requireAll(apiSettings)

/** Whether a key is given, and no token: dashboards are then reached through the service. */
const isThroughService = Effect.gen(function* () {
  if (Option.isSome(yield* token.read)) return false
  return yield* Effect.match(managementSettings, { onFailure: () => false, onSuccess: () => true })
})

const sourceSettings = Setting.requireAll([dashboardsUrl, token])

const dashboardSettings = Effect.flatMap(isThroughService, (isGiven) => (isGiven ? Effect.void : sourceSettings))

// Dashboards are reached as by `headgate dashboard`. With a token alone, the commands check that there is nothing else.
const directorySettings = Effect.flatMap(isTokenAlone, (isAlone) =>
  isAlone ? sourceSettings : Effect.andThen(managementSettings, dashboardSettings)
)

// With a token alone, nothing calls these ports.
const noManagement = Layer.mergeAll(
  Layer.mock(Organizations, {}),
  Layer.mock(Services, {}),
  Layer.mock(Pipes, {}),
  Layer.mock(ApiKeys, {})
)

const throughService = (managementApi: ReturnType<typeof management>) =>
  Layer.effect(
    Dashboards,
    Effect.gen(function* () {
      const services = yield* ServiceDashboards
      return services.of(yield* serviceAddress)
    })
  ).pipe(Layer.provide(managementApi))

/** The dashboards of the token's organization, or of the service's with a key alone. */
const dashboards = (version: string, managementApi: ReturnType<typeof management>) =>
  Layer.unwrap(
    Effect.map(isThroughService, (isGiven) => (isGiven ? throughService(managementApi) : observability(version)))
  )

/** Raw requests over the connection of an API. */
const rawManagement = (version: string) =>
  Layer.effect(
    RawApi,
    Effect.gen(function* () {
      const { ManagementConnection, sendRaw } = yield* connection.httpAdapter
      return { send: sendRaw(yield* ManagementConnection, "management") }
    })
  ).pipe(Layer.provide(management(version)))

const rawObservability = (version: string) =>
  Layer.effect(
    RawApi,
    Effect.gen(function* () {
      const { ObservabilityConnection, sendRaw } = yield* connection.httpAdapter
      return { send: sendRaw(yield* ObservabilityConnection, "observability") }
    })
  ).pipe(Layer.provide(observability(version)))

/** The root command with all subcommands, each with what it needs. */
export const command = (version: string) => {
  const managementApi = management(version)
  const onMachine = over(Layer.empty, Effect.void)
  const inApi = over(managementApi, managementSettings)
  const inSources = over(observability(version), sourceSettings)
  const inDashboards = over(dashboards(version, managementApi), dashboardSettings)
  const managementOrNone = Layer.unwrap(Effect.map(isTokenAlone, (isAlone) => (isAlone ? noManagement : managementApi)))
  const inDirectory = over(Layer.merge(managementOrNone, dashboards(version, managementApi)), directorySettings)
  const readByName = (idOrName: string) =>
    Effect.andThen(dashboardSettings, Effect.provide(readDashboard(idOrName), dashboards(version, managementApi)))
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
      api.pipe(
        Command.provide(platform),
        Command.provide(({ path }) =>
          Layer.unwrap(Effect.succeed(isObservability(path) ? rawObservability(version) : rawManagement(version)))
        ),
        Command.provideEffectDiscard(({ path }) => (isObservability(path) ? sourceSettings : managementSettings))
      ),
      Command.make("organization").pipe(
        Command.withDescription("List and read organizations"),
        Command.withSubcommands([inApi(organizationCommands.list), inApi(organizationCommands.get)])
      ),
      Command.make("service").pipe(
        Command.withDescription("List, read, start, stop and wake services"),
        Command.withSubcommands([
          inApi(serviceCommands.list),
          inApi(serviceCommands.get),
          inApi(serviceCommands.start),
          inApi(serviceCommands.stop),
          inApi(serviceCommands.wake)
        ])
      ),
      Command.make("pipe").pipe(
        Command.withDescription("List, read, create, change, start, stop, await, tune and delete ingestion pipes"),
        Command.withSubcommands([
          inApi(listPipes),
          inApi(getPipe),
          inApi(createPipe),
          inApi(updatePipe),
          inApi(renamePipe),
          inApi(discoverPipe),
          inApi(startPipe),
          inApi(stopPipe),
          inApi(resyncPipe),
          inApi(resumePipe),
          inApi(adoptPipe),
          inApi(scalePipe),
          inApi(settingsOfPipe),
          inApi(cdcScaling),
          inApi(statusOfPipe),
          inApi(waitForPipe),
          inApi(watchPipe),
          inApi(deletePipe)
        ])
      ),
      Command.make("private-endpoint").pipe(
        Command.withDescription("List, read, create, change and delete reverse private endpoints"),
        Command.withSubcommands([
          inApi(privateEndpoint.list),
          inApi(privateEndpoint.get),
          inApi(privateEndpoint.create),
          inApi(privateEndpoint.update),
          inApi(privateEndpoint.remove)
        ])
      ),
      Command.make("key").pipe(
        Command.withDescription("List, read, create, change and delete API keys of the organization"),
        Command.withSubcommands([
          inApi(listKeys),
          inApi(getKey),
          inApi(createKey),
          inApi(updateKey),
          inApi(rotateKey),
          inApi(deleteKey)
        ])
      ),
      Command.make("role").pipe(
        Command.withDescription("List, read, create, change and delete roles of the organization"),
        Command.withSubcommands([
          inApi(roleCommands.list),
          inApi(roleCommands.get),
          inApi(roleCommands.create),
          inApi(roleCommands.update),
          inApi(roleCommands.remove)
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
      Command.make("saved-search").pipe(
        Command.withDescription("List, read, create, replace and delete saved searches"),
        Command.withSubcommands([
          inSources(savedSearchCommands.list),
          inSources(savedSearchCommands.get),
          inSources(savedSearchCommands.create),
          inSources(savedSearchCommands.update),
          inSources(savedSearchCommands.remove)
        ])
      ),
      Command.make("webhook").pipe(
        Command.withDescription("List, read, create, replace and delete webhooks"),
        Command.withSubcommands([
          inSources(webhookCommands.list),
          inSources(webhookCommands.get),
          inSources(webhookCommands.create),
          inSources(webhookCommands.update),
          inSources(webhookCommands.remove)
        ])
      ),
      Command.make("alert").pipe(
        Command.withDescription("List, read, create, replace and delete alerts"),
        Command.withSubcommands([
          inSources(alertCommands.list),
          inSources(alertCommands.get),
          inSources(alertCommands.create),
          inSources(alertCommands.update),
          inSources(alertCommands.remove)
        ])
      ),
      Command.make("dashboard").pipe(
        Command.withDescription("List, read, preview, create, copy, change and delete dashboards"),
        Command.withSubcommands([
          inDashboards(getDashboard),
          inDashboards(createDashboard),
          inDashboards(updateDashboard),
          inDashboards(validateDashboard),
          onMachine(previewDashboard(readByName)),
          inDashboards(deleteDashboard),
          inDashboards(copyDashboard),
          inDashboards(listDashboards)
        ])
      ),
      inDirectory(diff),
      inDirectory(apply),
      inDirectory(exportFiles),
      onMachine(schema),
      onMachine(printCompletion),
      Command.make(completeValues).pipe(
        Command.unlisted,
        Command.withSubcommands([
          onMachine(completion.ofProfiles),
          inApi(completion.ofOrganizations),
          inApi(completion.ofServices),
          inApi(completion.ofPipes),
          inApi(completion.ofPrivateEndpoints),
          inApi(completion.ofKeys),
          inApi(completion.ofRoles),
          inDashboards(completion.ofDashboards),
          inSources(completion.ofConnections),
          inSources(completion.ofSources),
          inSources(completion.ofSavedSearches),
          inSources(completion.ofWebhooks),
          inSources(completion.ofAlerts)
        ])
      )
    ]),
    Command.withGlobalFlags(globalFlags)
  )
}
