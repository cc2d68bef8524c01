/// <reference lib="dom" />
// The page that uses the entry points of three nouns of the Promise client.
import { createClient as createDashboards } from "@headgate/client/dashboards"
import { createClient as createKeys } from "@headgate/client/keys"
import { createClient as createPipes, isHeadgateError, reveal, secret } from "@headgate/client/pipes"
import { arrived, config, redirectingPath, run, silentPath } from "./Page.ts"

const { keyId, keySecret, name, organizationId, pipeId, serviceId, token } = config()
const address = { organizationId, serviceId, pipeId }

const pipesOf = (path = "", password = secret(keySecret), user = keyId) =>
  createPipes({ management: { baseUrl: location.origin + path, keyId: user, keySecret: password } }).pipes

const { keys } = createKeys({ management: { baseUrl: location.origin, keyId, keySecret } })
const { dashboards } = createDashboards({ observability: { baseUrl: location.origin, token } })

const errorOf = async (call: Promise<unknown>) => {
  try {
    await call
  } catch (error) {
    if (isHeadgateError(error)) return error
    throw error
  }
  throw new Error("expected an error")
}

await run({
  pipe: async () => {
    const pipe = await pipesOf().get(address)
    return `${pipe.name} is ${pipe.state}`
  },
  key: async () => {
    const created = await keys.create({ organizationId, name, roles: ["developer"] })
    if (created.keyId === undefined || created.keySecret === undefined) throw new Error("no credentials were shown")
    const shown = String(secret(reveal(created.keySecret)))
    const pipe = await pipesOf("", created.keySecret, created.keyId).get(address)
    return `${created.key.name}, ${shown}, opens ${pipe.name}`
  },
  dashboards: async () => {
    await dashboards.create({ name })
    const names: Array<string> = []
    for await (const dashboard of dashboards.list()) names.push(dashboard.name)
    return names.join()
  },
  wrongKey: async () => {
    const error = await errorOf(pipesOf("", secret("wrong")).get(address))
    return `${error._tag} ${error.status}`
  },
  badId: async () => {
    const error = await errorOf(pipesOf().get({ ...address, pipeId: "7" }))
    return `${error._tag} ${error._tag === "InvalidRequest" ? error.issues[0]?.path : ""} ${error.attempts}`
  },
  aborted: async () => {
    const controller = new AbortController()
    const call = pipesOf(silentPath).get(address, { signal: controller.signal })
    const ended = call.then(
      () => "answered",
      (error: unknown) => (error === controller.signal.reason ? String(error) : `not aborted: ${String(error)}`)
    )
    await arrived()
    controller.abort()
    return await ended
  },
  redirected: async () => {
    const error = await errorOf(pipesOf(redirectingPath).get(address))
    return `${error._tag} ${error.attempts}`
  }
})
