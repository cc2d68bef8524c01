import { basic, bearer, credentialHash, dashboardsPath, hashData } from "@headgate/harness/Snapshot"
import { contractOperations, pathFor } from "@headgate/harness/contractOperations"
import type { CanaryRequest, Capture } from "./Capture.ts"
import { ids, theKeys, thePipe, unknownPipe, type Environment } from "./environment.ts"

const service = { id: ids.organization, serviceId: ids.service }

/** A valid request of every operation of the contract; deletions name what does not exist. */
export const operationRequests: ReadonlyArray<
  Omit<CanaryRequest, "status"> & { readonly api: string; readonly body: object | undefined }
> = contractOperations().map((operation) => {
  const { api, method, name, payload } = operation
  const path = pathFor(operation, service, method === "DELETE" ? ids.unknown : ids.pipe)
  return { name, api, method, path, body: payload?.("x") }
})

const management = operationRequests.filter(({ api }) => api === "management")
// A pipe is adopted without a body.
const creations = operationRequests.filter(({ body, method }) => method === "POST" && body !== undefined)
const patched = new Set(operationRequests.filter(({ method }) => method === "PATCH").map(({ path }) => path))

/** The operations that every key may call, of its own organization: no organization is in their path. */
const ofEveryKey = ["organization.list", "organization.whoami"]
/** The requests but GET that a developer may send: they change nothing, or are of every key. */
const ofDeveloper = [
  "pipe.discoverSchema",
  "serviceDashboard.validate",
  "serviceWebhook.validate",
  "console.createSession",
  "console.createCode"
]

/** The credentials that every operation accepts. */
export const authorizationFor = (api: string, { bearer: token, keys }: Environment): string =>
  api === "observability" ? token : keys.admin.authorization

/** Failed logins at every operation: the canary is in the Authorization header. */
export const failedLogins = (capture: Capture, { keys }: Environment): ReadonlyArray<CanaryRequest> =>
  operationRequests.flatMap(({ api, ...request }) => {
    const guess = capture.secret(`guess at ${request.name}`)
    const headers: Readonly<Record<string, string>> = {
      "a wrong secret": basic(keys.admin.keyId, guess),
      "an unknown key": basic("nobody", guess),
      "a secret as key ID": basic(guess, guess),
      "a token": bearer(guess),
      "a session": bearer(`hgs_${guess}`),
      "an unknown scheme": `Digest ${guess}`,
      "no scheme": guess,
      "no encoding": `Basic ${keys.admin.keyId}:${guess}`,
      ...(api === "observability"
        ? { "a key": keys.admin.authorization }
        : { "a disabled key": keys.disabled.authorization, "an expired key": keys.expired.authorization })
    }
    return Object.entries(headers).map(([how, authorization]) => ({
      ...request,
      name: `${request.name} with ${how}`,
      authorization,
      status: 401
    }))
  })

/** Requests with sessions of the console come under the name of a server, and the trial sends all under this one. */
export const ownName: ReadonlyArray<string> = ["--public-url", "https://headgate.test"]

/** Sign-ins of the console that fail: the canary is the code, or beside it. */
export const failedSignIns = (capture: Capture): ReadonlyArray<CanaryRequest> => {
  const guess = capture.secret("code of the console")
  const signIn = { method: "POST", path: "/v1/consoleSessions" }
  return [
    { ...signIn, name: "a sign-in with an unknown code", body: { code: `hgc_${guess}` }, status: 401 },
    { ...signIn, name: "a sign-in with a code that is no text", body: { code: { guess } }, status: 400 },
    { ...signIn, name: "a sign-in with another field", body: { token: guess }, status: 400 },
    { ...signIn, name: "a sign-in that is not JSON", body: `{"code":"${guess}`, status: 400 },
    { ...signIn, name: "a large sign-in", body: { code: guess.repeat(1000) }, status: 413 },
    {
      ...signIn,
      name: "a sign-in from another page",
      headers: [["origin", "https://evil.example.com"]],
      body: { code: guess },
      status: 403
    },
    {
      ...signIn,
      method: "DELETE",
      name: "a sign-out of an unknown session",
      authorization: bearer(`hgs_${guess}`),
      status: 401
    }
  ]
}

/** Rejections of authenticated callers: 403, 404, 405, 409, 413 and 415 at every operation that can answer so. */
export const rejections = (capture: Capture, environment: Environment): ReadonlyArray<CanaryRequest> => {
  const { admin, blocked, developer, foreign } = environment.keys
  const inBody = capture.secret("text of a rejected body")
  const existing = hashData(admin.keyId, capture.secret("secret of a key that exists"))
  const get = { method: "GET", authorization: admin.authorization, status: 404 }
  const forbidden = (key: typeof admin, why: string) =>
    management
      .filter(({ name }) => key !== foreign || !ofEveryKey.includes(name))
      .filter(({ method, name }) => key !== developer || (method !== "GET" && !ofDeveloper.includes(name)))
      .map((request) => ({
        ...request,
        name: `${request.name} ${why}`,
        authorization: key.authorization,
        status: 403
      }))
  return [
    ...forbidden(blocked, "from an address that is not allowed"),
    ...forbidden(foreign, "of another organization"),
    ...forbidden(developer, "by a developer"),
    { ...get, name: "an unknown pipe", path: unknownPipe },
    { ...get, name: "an unknown path", path: "/v1/nowhere" },
    { ...get, name: "an unknown path", path: "/api/v2/nowhere", authorization: environment.bearer },
    ...operationRequests
      .filter(({ path }) => !patched.has(path.replace(ids.unknown, ids.pipe)))
      .map(({ api, name, path }) => ({
        name: `PATCH to ${name}`,
        method: "PATCH",
        path,
        authorization: authorizationFor(api, environment),
        body: { secret: inBody },
        status: 405
      })),
    {
      name: "a key ID twice",
      method: "POST",
      path: theKeys,
      authorization: admin.authorization,
      body: { name: "x", hashData: existing },
      status: 409
    },
    ...creations.flatMap(({ api, method, name, path }) => {
      const request = { method, path, authorization: authorizationFor(api, environment) }
      const headers = [["content-type", "text/plain"]] as const
      return [
        { ...request, name: `a large ${name}`, body: { name: inBody.repeat(40_000) }, status: 413 },
        { ...request, name: `${name} as text`, body: inBody, headers, status: 415 },
        { ...request, name: `${name} that is not JSON`, body: `{"name":"${inBody}`, status: 400 },
        { ...request, name: `${name} that is another document`, body: [inBody], status: 400 }
      ]
    })
  ]
}

const hash = credentialHash("x")
const valid = { keyIdHash: hash, keyIdSuffix: "abcd", keySecretHash: hash }
const tile = { x: 0, y: 0, w: 1, h: 1 }

/** Payloads that are rejected for one field, which holds the canary or is beside it. */
const badPayloads: Readonly<Record<string, Readonly<Record<string, (secret: string) => object>>>> = {
  "key.create": {
    name: (value) => ({ name: { value } }),
    "name, too long": (value) => ({ name: value.repeat(20) }),
    state: (value) => ({ name: "x", state: value }),
    expireAt: (value) => ({ name: "x", expireAt: value }),
    roles: (value) => ({ name: "x", roles: [value] }),
    "roles as text": (value) => ({ name: "x", roles: value }),
    ipAccessList: (value) => ({ name: "x", ipAccessList: [{ source: value }] }),
    "hashData.keySecretHash": (value) => ({ name: "x", hashData: { ...valid, keySecretHash: value } }),
    "hashData.keyIdHash": (value) => ({ name: "x", hashData: { ...valid, keyIdHash: value } }),
    "hashData.keyIdSuffix": (value) => ({ name: "x", hashData: { ...valid, keyIdSuffix: value } }),
    hashData: (value) => ({ name: "x", hashData: value }),
    "keySecret beside a bad field": (value) => ({ name: "", keySecret: value })
  },
  "dashboard.create": {
    tags: (value) => ({ name: "x", tags: [value] }),
    tiles: (value) => ({ name: "x", tiles: [value] }),
    "a tile's x": (value) => ({ name: "x", tiles: [{ ...tile, x: value }] }),
    "a series' aggFn": (value) => ({ name: "x", tiles: [{ ...tile, series: [{ aggFn: [value] }] }] }),
    "where beside a bad field": (value) => ({ name: 1, tiles: [{ ...tile, series: [{ where: value }] }] })
  }
}

/** What is wrong in a request for anything else: no name is an object. */
const badName = { name: (value: string) => ({ name: { value } }) }

export const badBodies = (capture: Capture, environment: Environment): ReadonlyArray<CanaryRequest> =>
  // A validation answers 200 and says what is wrong.
  creations
    .filter(({ name }) => !name.endsWith(".validate"))
    .flatMap(({ api, method, name, path }) => {
      const payloads = badPayloads[name] ?? badName
      return Object.entries(payloads).map(([field, payload]) => ({
        name: `${name}, a bad ${field}`,
        method,
        path,
        authorization: authorizationFor(api, environment),
        body: payload(capture.secret(`value of ${field} in a rejected body`)),
        // A server without a warehouse queries nothing, whatever the request says.
        status: /^(?:serviceC|c)hart\.(?:series|search)$/.test(name) ? 424 : 400
      }))
    })

/** Successes, with canaries where a client may put them by right or by mistake. */
export const successes = (
  capture: Capture,
  { bearer: token, connectionString, keys }: Environment
): ReadonlyArray<CanaryRequest> => {
  const asAdmin = { authorization: keys.admin.authorization, status: 200 }
  const create = { ...asAdmin, method: "POST", path: theKeys }
  const created = (body: any) => [capture.canaries.know("secret of a new key", String(body?.result?.keySecret))]
  const ofConsole = (name: string, collection: string, field: "token" | "code") => ({
    ...asAdmin,
    name,
    method: "POST",
    path: `/v1/organizations/${ids.organization}/${collection}`,
    shows: (body: any) => [capture.canaries.know(`new ${field} of the console`, String(body?.result?.[field]))]
  })
  const keyId = "chosen-key-id"
  const chosen = capture.secret("secret of a key whose hashes were sent")
  const readPipe = { method: "GET", path: thePipe, shows: () => [connectionString] }
  const dashboards = { path: dashboardsPath, authorization: token, status: 200 }
  return [
    { ...asAdmin, ...readPipe, name: "pipe.get" },
    { ...dashboards, name: "dashboard.create", method: "POST", body: { name: "x" } },
    { ...dashboards, name: "dashboard.list", method: "GET" },
    ofConsole("console.createSession", "consoleSessions", "token"),
    ofConsole("console.createCode", "consoleCodes", "code"),
    { ...create, name: "key.create", body: { name: "x", roles: ["admin"] }, shows: created },
    {
      ...create,
      name: "key.create with a secret",
      body: { name: "x", roles: ["admin"], keySecret: capture.secret("keySecret that was sent") },
      status: 400
    },
    { ...create, name: "key.create by hash", body: { name: "x", roles: ["admin"], hashData: hashData(keyId, chosen) } },
    {
      ...create,
      name: "key.create with an unknown field",
      body: { name: "x", pwd: { deep: [capture.secret("text of an unknown field")] } },
      status: 400
    },
    { ...readPipe, name: "pipe.get with the chosen secret", authorization: basic(keyId, chosen), status: 200 },
    {
      ...asAdmin,
      name: "a query",
      method: "GET",
      path: `${thePipe}/x?token=${capture.secret("text of a query")}`,
      status: 404
    }
  ]
}
