/// <reference lib="dom" />
// The page that uses the HTTP adapter over fetch.
import { ApiKeys, Dashboards, OrganizationId, PipeId, Pipes, ServiceId } from "@headgate/core"
import { HttpAdapter } from "@headgate/http-adapter"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { arrived, config, redirectingPath, run, silentPath } from "./Page.ts"

const { keyId, keySecret, name, token, ...ids } = config()
const organizationId = OrganizationId.make(ids.organizationId)
const address = { organizationId, serviceId: ServiceId.make(ids.serviceId), pipeId: PipeId.make(ids.pipeId) }

const management = (path = "", password = Redacted.make(keySecret), user = keyId) =>
  HttpAdapter.layerManagement({ baseUrl: location.origin + path, keyId: user, keySecret: password }).pipe(
    Layer.provide(FetchHttpClient.layer)
  )
const observability = HttpAdapter.layerObservability({
  baseUrl: location.origin,
  token: Redacted.make(token)
}).pipe(Layer.provide(FetchHttpClient.layer))

const get = Pipes.use((pipes) => pipes.get(address))

await run({
  pipe: () =>
    get.pipe(
      Effect.map((pipe) => `${pipe.name} is ${pipe.state}`),
      Effect.provide(management()),
      Effect.runPromise
    ),
  key: () =>
    Effect.gen(function* () {
      const created = yield* ApiKeys.use((keys) => keys.create({ organizationId }, { name, roles: ["developer"] }))
      if (created.keyId === undefined || created.keySecret === undefined) {
        return yield* Effect.die("no credentials were shown")
      }
      const shown = String(Redacted.make(Redacted.value(created.keySecret)))
      const pipe = yield* Effect.provide(get, management("", created.keySecret, created.keyId))
      return `${created.key.name}, ${shown}, opens ${pipe.name}`
    }).pipe(Effect.provide(management()), Effect.runPromise),
  dashboards: () =>
    Effect.gen(function* () {
      const dashboards = yield* Dashboards
      yield* dashboards.create({ name })
      return (yield* dashboards.list()).map((dashboard) => dashboard.name).join()
    }).pipe(Effect.provide(observability), Effect.runPromise),
  wrongKey: () =>
    Effect.flip(get).pipe(
      Effect.map((error) => `${error._tag} ${error.status}`),
      Effect.provide(management("", Redacted.make("wrong"))),
      Effect.runPromise
    ),
  badId: () => {
    const pipeId = PipeId.make("7", { disableChecks: true })
    return Pipes.use((pipes) => Effect.flip(pipes.get({ ...address, pipeId }))).pipe(
      Effect.map((error) => `${error._tag} ${"issues" in error ? error.issues[0]?.path : ""} ${error.attempts}`),
      Effect.provide(management()),
      Effect.runPromise
    )
  },
  aborted: async () => {
    const fiber = Effect.runFork(Effect.provide(get, management(silentPath)))
    await arrived()
    const exit = await Effect.runPromise(Effect.andThen(Fiber.interrupt(fiber), Fiber.await(fiber)))
    return Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) ? "interrupted" : `not aborted: ${String(exit)}`
  },
  redirected: () =>
    Effect.flip(get).pipe(
      Effect.map((error) => `${error._tag} ${error.attempts}`),
      Effect.provide(management(redirectingPath)),
      Effect.runPromise
    )
})
