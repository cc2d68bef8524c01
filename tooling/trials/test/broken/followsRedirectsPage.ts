/// <reference lib="dom" />
// A page that follows redirects, aborts nothing, shows a secret and sends a request to another origin.
import { arrived, config, redirectingPath, run, silentPath } from "../../src/browser/Page.ts"

const { keyId, keySecret, organizationId, pipeId, serviceId } = config()
const authorization = `Basic ${btoa(`${keyId}:${keySecret}`)}`
const path = `/v1/organizations/${organizationId}/services/${serviceId}/dbpipes/${pipeId}`
const get = (prefix: string) => fetch(prefix + path, { headers: { authorization } })

await run({
  pipe: async () => {
    const { result } = await (await get("")).json()
    return `${result.name} is ${result.state}`
  },
  key: async () => keySecret,
  dashboards: () => fetch("http://127.0.0.1:1/", { mode: "no-cors" }).then(String),
  wrongKey: async () => "accepted",
  badId: async () => "sent",
  aborted: async () => {
    void get(silentPath).catch(() => undefined)
    await arrived()
    return "interrupted"
  },
  redirected: async () => `followed ${(await get(redirectingPath)).status}`
})
