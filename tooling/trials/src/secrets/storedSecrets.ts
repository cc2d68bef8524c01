// Every credential that a caller may store, in every request that stores it.
import { answeredSecretFields, credentialFields, pipeSourceKinds } from "@headgate/core/adapter"
import { jsonOf } from "@headgate/harness/answerShape"
import { withPostgres } from "@headgate/harness/withPostgres"
import { randomUUID } from "node:crypto"
import { pipeRequests } from "../../../../packages/conformance/src/fixtures/pipeRequests.ts"
import type { Canary } from "./Canaries.ts"
import type { CanaryServer, Capture } from "./Capture.ts"
import { storeUnknown } from "./unknownFields.ts"
import { pathOf, theKeys } from "./environment.ts"

const secretFields = [...credentialFields, ...answeredSecretFields]

/** A request for a pipe whose every credential is a canary. */
interface MarkedPipe {
  readonly body: any
  /** The fields that have canaries. */
  readonly fields: ReadonlyArray<string>
  /** The canaries that answers hold. */
  readonly answered: ReadonlyArray<Canary>
}

const markPipe = ({ canaries }: Capture, where: string, request: object): MarkedPipe => {
  const body: any = structuredClone(request)
  const fields: Array<string> = []
  const answered: Array<Canary> = []
  for (const path of secretFields) {
    const names = path.split(".")
    const field = names.pop() ?? ""
    const parent = names.reduce((part, name) => part?.[name], body.source)
    const held: unknown = parent?.[field]
    if (held === undefined || held === null || held === "") continue
    const mark = (name: string): string => {
      const canary = canaries.plant(`${where}, ${path}${name}`)
      if (answeredSecretFields.includes(path)) answered.push(canary)
      return canary.value
    }
    parent[field] =
      typeof held === "string"
        ? mark("")
        : Object.fromEntries(Object.keys(held).map((name) => [name, mark(`.${name}`)]))
    fields.push(path)
  }
  return { body, fields, answered }
}

/** The members of the source of a marked pipe that hold its credentials. */
const changesOf = ({ body, fields }: MarkedPipe) => {
  const kind = pipeSourceKinds.find((each) => body.source[each]) ?? "kafka"
  const members = fields.map((path) => path.split(".")[1] ?? "")
  return { source: { [kind]: Object.fromEntries(members.map((member) => [member, body.source[kind][member]])) } }
}

/** Creates, changes, reads and rejects a pipe of every source and authentication method. */
const storePipes = async (capture: Capture, { server, where, environment }: CanaryServer): Promise<void> => {
  const { authorization } = environment.keys.admin
  const marked = new Set<string>()
  const present: Array<Canary> = [environment.connectionString]
  for (const [name, request] of Object.entries(pipeRequests)) {
    const mark = (how: string) => markPipe(capture, `${name}, ${how}`, request)
    const send = (how: string, fields: Parameters<Capture["send"]>[2]) =>
      capture.send(where, server.url, { ...fields, name: `pipe ${name}, ${how}`, authorization })
    const created = mark("created")
    for (const field of created.fields) marked.add(field)
    const creation = {
      name,
      method: "POST",
      path: pathOf("pipe.create"),
      body: created.body,
      headers: [["idempotency-key", randomUUID()]] as const,
      status: 200,
      shows: () => created.answered
    }
    const first = await send("created", creation)
    await send("created again with its key", creation)
    const path = pathOf("pipe.get", jsonOf(first).result.id)
    const changed = mark("changed")
    const changes = {
      name,
      method: "PATCH",
      path,
      body: changesOf(changed),
      status: 200,
      shows: () => changed.answered
    }
    await send("changed", changes)
    await send("read", { name, method: "GET", path, status: 200, shows: () => changed.answered })
    present.push(...changed.answered)
    const rejected = { ...mark("rejected").body, name: "" }
    await send("rejected", { name, method: "POST", path: pathOf("pipe.create"), body: rejected, status: 400 })
    const wrong = { ...changesOf(mark("rejected change")), name: "" }
    await send("rejected change", { name, method: "PATCH", path, body: wrong, status: 400 })
    const { source } = mark("discovered").body
    // 400 for the source of a database pipe.
    const discovery = {
      name: `pipe ${name}, discovered`,
      method: "POST",
      path: pathOf("pipe.discoverSchema"),
      body: { source }
    }
    const { status } = await capture.sendAny(where, server.url, { ...discovery, authorization })
    if (status !== 200 && status !== 400) throw new Error(`${where}, ${discovery.name}: ${status}`)
  }
  const list = { name: "pipe.list", method: "GET", path: pathOf("pipe.list"), authorization, status: 200 }
  await capture.send(where, server.url, { ...list, shows: () => present })
  const unmarked = secretFields.filter((field) => !marked.has(field))
  if (unmarked.length > 0) throw new Error(`no request for a pipe has a value for ${unmarked.join()}`)
}

/** A document with canaries, those of them that answers show, and what makes a creation of it a mistake. */
interface MarkedDocument {
  readonly body: object
  readonly shows?: () => ReadonlyArray<Canary>
  readonly mistake: object
}

const documents: Readonly<Record<string, (capture: Capture, how: string) => MarkedDocument>> = {
  connection: (capture, how) => ({
    body: { name: "x", host: "https://x.test", password: capture.secret(how) },
    mistake: { host: `https://u:${capture.secret(`${how}, in its URL`)}@x.test` }
  }),
  webhook: (capture, how) => {
    const url = capture.canaries.plant(`URL of a ${how}`)
    const headers = { authorization: `Bearer ${capture.secret(`header of a ${how}`)}` }
    const queryParams = { token: capture.secret(`query of a ${how}`) }
    const body = { name: how, service: "generic", url: `https://hooks.test/${url.value}`, headers, queryParams }
    return { body, shows: () => [url], mistake: { name: "" } }
  }
}

/** Creates, reads, changes and rejects each kind of document that has secrets. */
const storeDocuments = async (capture: Capture, { server, where, environment }: CanaryServer): Promise<void> => {
  for (const [noun, make] of Object.entries(documents)) {
    const send = (how: string, method: string, path: string, fields: object = {}, status = 200) =>
      capture.send(where, server.url, {
        name: `${noun} ${how}`,
        method,
        path,
        status,
        authorization: environment.bearer,
        ...fields
      })
    const [created, changed, rejected] = ["created", "changed", "rejected"].map((how) =>
      make(capture, `${noun}, ${how}`)
    )
    const list = pathOf(`${noun}.list`)
    const path = pathOf(`${noun}.get`, jsonOf(await send("created", "POST", list, created)).data.id)
    await send("read", "GET", path, { shows: created?.shows })
    await send("changed", "PUT", path, changed)
    await send("list", "GET", list, { shows: changed?.shows })
    await send("rejected", "POST", list, { body: { ...rejected?.body, ...rejected?.mistake } }, 400)
  }
}

/** A key whose creation is repeated: both answers have the secret, and the store keeps neither. */
const storeKey = async (capture: Capture, { server, where, environment }: CanaryServer): Promise<void> => {
  const known: Array<Canary> = []
  const request = {
    name: "key.create with an idempotency key",
    method: "POST",
    path: theKeys,
    authorization: environment.keys.admin.authorization,
    headers: [["idempotency-key", randomUUID()]] as const,
    body: { name: "x", roles: ["admin"] },
    status: 200,
    shows: (answer: any) => {
      if (known.length === 0) {
        known.push(capture.canaries.know("secret of a key that is created twice", String(answer?.result?.keySecret)))
      }
      return known
    }
  }
  for (let times = 0; times < 2; times++) await capture.send(where, server.url, request)
}

/** Stores a canary as every credential that a caller may store, and keeps everything that shows of them. */
export const storeSecrets = async (capture: Capture, started: CanaryServer): Promise<void> => {
  await storePipes(capture, started)
  await storeDocuments(capture, started)
  await storeKey(capture, started)
  await storeUnknown(capture, started, false)
  await capture.showStore(started)
}

/** Every credential in a store over Postgres, and a dump of the database. */
export const overPostgres = (capture: Capture): Promise<void> =>
  withPostgres(async (url) => {
    const started = await capture.startServer("server over Postgres", ["--log-level", "all"], url)
    await storeSecrets(capture, started)
    await capture.stopServer(started)
  })
