import type { ManagementConnection, ObservabilityConnection } from "@headgate/http-adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Command from "effect/cli/Command"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { nodeTerminal } from "../usage/platform.ts"
import * as connection from "./connection.ts"
import * as Setting from "./Setting.ts"
import { apiSettings, currentDialect, dashboardsUrl, keyId, keySecret, token, url } from "./settings.ts"
import { readSecret } from "./stdin.ts"

const platform = Layer.mergeAll(nodeTerminal, Digest.layerWebCrypto, SecureRandom.layerWebCrypto)

/** The connection to the management API that the settings tell. */
export const management = connection.management(
  Effect.gen(function* () {
    return {
      baseUrl: yield* Setting.required(url),
      keyId: yield* Setting.required(keyId),
      keySecret: yield* readSecret(keySecret),
      dialect: yield* currentDialect
    }
  })
)

/** The connection to the observability API that the settings tell. */
export const observability = connection.observability(
  Effect.gen(function* () {
    return { baseUrl: yield* Setting.required(dashboardsUrl), token: yield* readSecret(token) }
  })
)

/** Fails if a setting of the management API is missing. */
export const managementSettings = Setting.requireAll(apiSettings)

/** Fails if a setting of the observability API is missing. */
export const observabilitySettings = Setting.requireAll([dashboardsUrl, token])

/**
 * Gives a command what it needs: its ports, the platform but for files, and its settings, which are checked first, so that one message
 * names every missing setting.
 */
export const over =
  <Ports, E1, R1, E2, R2>(ports: Layer.Layer<Ports, E1, R1>, settings: Effect.Effect<void, E2, R2>) =>
  <Name extends string, Input, ContextInput, E, R>(command: Command.Command<Name, Input, ContextInput, E, R>) =>
    command.pipe(Command.provide(platform), Command.provide(ports), Command.provideEffectDiscard(settings))

/** {@link over} nothing but this machine. */
export const onMachine = over(Layer.empty, Effect.void)

/** {@link over} ports of the management API. */
export const overManagement = <Ports>(ports: Layer.Layer<Ports, never, ManagementConnection>) =>
  over(Layer.provide(ports, management), managementSettings)

/** {@link over} ports of the observability API. */
export const overObservability = <Ports>(ports: Layer.Layer<Ports, never, ObservabilityConnection>) =>
  over(Layer.provide(ports, observability), observabilitySettings)
