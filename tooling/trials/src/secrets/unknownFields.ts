// Secrets in fields of sources that no server knows: misspelt, one level down, under a harmless name.
import { jsonOf } from "@headgate/harness/answerShape"
import { withPostgres } from "@headgate/harness/withPostgres"
import { pipeRequests, secretMark, unknownSources } from "../../../../packages/conformance/src/fixtures/pipeRequests.ts"
import type { CanaryServer, Capture } from "./Capture.ts"
import { pathOf } from "./environment.ts"

/** A copy with a canary in place of each secret of the fixtures. */
const marked = (capture: Capture, where: string, value: any): any => {
  if (typeof value === "string") return value.startsWith(secretMark) ? capture.secret(where) : value
  if (Array.isArray(value)) return value.map((element) => marked(capture, where, element))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      // The value that the fixture has there is answered under its own name.
      name === "conectionString" ? capture.secret(where) : marked(capture, `${where}.${name}`, field)
    ])
  )
}

/** Sends secrets in unknown fields of every source. `keeps`: whether the server has `--unknown-fields keep`. */
export const storeUnknown = async (capture: Capture, { server, where, environment }: CanaryServer, keeps: boolean) => {
  const { authorization } = environment.keys.admin
  const send = (name: string, method: string, path: string, status: number, body?: object) =>
    capture.send(where, server.url, { name, method, path, authorization, status, ...(body && { body }) })
  const create = pathOf("pipe.create")
  for (const [name, request] of Object.entries(pipeRequests)) {
    for (const { isMisspelt, issue, source } of unknownSources(request)) {
      const how = `pipe ${name}, ${issue}`
      const body = (source: object) => marked(capture, how, { ...request, source })
      const unknown = body(source)
      // Most sources need their credentials, so their misspelt name is in a change of a pipe that has them.
      const made = keeps && !isMisspelt ? unknown : body(request.source)
      const { id } = jsonOf(await send(`${how}, created`, "POST", create, 200, made)).result
      const path = pathOf("pipe.get", id)
      const again = { name: `${how}, created with it`, method: "POST", path: create, authorization, body: unknown }
      if (!keeps) await capture.send(where, server.url, { ...again, status: 400 })
      // A source that connects with a role needs none.
      else if (isMisspelt) await capture.sendAny(where, server.url, again)
      await send(`${how}, changed`, "PATCH", path, keeps ? 200 : 400, { source: unknown.source })
      await send(`${how}, read`, "GET", path, 200)
    }
  }
}

const keeping = ["--unknown-fields", "keep", "--login-limit", "off", "--log-level", "all"]

/** Servers over SQLite and Postgres that keep unknown fields. */
export const keptUnknown = async (capture: Capture): Promise<void> => {
  const keep = async (where: string, url?: string): Promise<CanaryServer> => {
    const started = await capture.startServer(where, keeping, url)
    await storeUnknown(capture, started, true)
    const { authorization } = started.environment.keys.admin
    const list = { name: "pipe.list", method: "GET", path: pathOf("pipe.list"), authorization, status: 200 }
    await capture.send(where, started.server.url, { ...list, shows: () => [started.environment.connectionString] })
    await capture.showStore(started)
    return started
  }
  await capture.stopServer(await keep("server that keeps unknown fields"))
  await withPostgres(async (url) => {
    await capture.stopServer(await keep("server that keeps unknown fields, over Postgres", url))
  })
}
