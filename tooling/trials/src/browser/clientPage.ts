/// <reference lib="dom" />
// The page that uses the Promise client.
import { createClient, isHeadgateError, reveal, secret } from "@headgate/client"
import { arrived, config, redirectingPath, run, silentPath } from "./Page.ts"

const { keyId, keySecret, name, organizationId, pipeId, serviceId, token } = config()
const address = { organizationId, serviceId, pipeId }

const management = (path = "", password = secret(keySecret), user = keyId) =>
  createClient({ management: { baseUrl: location.origin + path, keyId: user, keySecret: password } })

const headgate = createClient({
  management: { baseUrl: location.origin, keyId, keySecret },
  observability: { baseUrl: location.origin, token }
})

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
    const pipe = await headgate.pipes.get(address)
    return `${pipe.name} is ${pipe.state}`
  },
  key: async () => {
    const created = await headgate.keys.create({ organizationId, name, roles: ["developer"] })
    if (created.keyId === undefined || created.keySecret === undefined) throw new Error("no credentials were shown")
    const shown = String(secret(reveal(created.keySecret)))
    const pipe = await management("", created.keySecret, created.keyId).pipes.get(address)
    return `${created.key.name}, ${shown}, opens ${pipe.name}`
  },
  dashboards: async () => {
    await headgate.dashboards.create({ name })
    const names: Array<string> = []
    for await (const dashboard of headgate.dashboards.list()) names.push(dashboard.name)
    return names.join()
  },
  wrongKey: async () => {
    const error = await errorOf(management("", secret("wrong")).pipes.get(address))
    return `${error._tag} ${error.status}`
  },
  badId: async () => {
    const error = await errorOf(headgate.pipes.get({ ...address, pipeId: "7" }))
    return `${error._tag} ${error._tag === "InvalidRequest" ? error.issues[0]?.path : ""} ${error.attempts}`
  },
  aborted: async () => {
    const controller = new AbortController()
    const call = management(silentPath).pipes.get(address, { signal: controller.signal })
    const ended = call.then(
      () => "answered",
      (error: unknown) => (error === controller.signal.reason ? String(error) : `not aborted: ${String(error)}`)
    )
    await arrived()
    controller.abort()
    return await ended
  },
  redirected: async () => {
    const error = await errorOf(management(redirectingPath).pipes.get(address))
    return `${error._tag} ${error.attempts}`
  }
})
