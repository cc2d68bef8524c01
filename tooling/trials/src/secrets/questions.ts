import { basic, bearer, credentialHash } from "../load/World.ts"
import type { Question } from "./ask.ts"
import type { Marks } from "./Marks.ts"
import { dashboardsPath, ids, keysPath, type MarkedWorld, pipePath } from "./world.ts"

/** The operations of the contract, as they are asked here. */
const operations = [
  { name: "pipe.get", method: "GET", path: pipePath(), body: undefined },
  { name: "pipe.delete", method: "DELETE", path: pipePath(ids.unknown), body: undefined },
  { name: "key.create", method: "POST", path: keysPath(), body: { name: "x" } },
  { name: "dashboard.create", method: "POST", path: dashboardsPath, body: { name: "x" } },
  { name: "dashboard.list", method: "GET", path: dashboardsPath, body: undefined }
]

/** The operations that there are questions about: the trial holds that the contract has no other. */
export const operationsAsked: ReadonlyArray<string> = operations.map(({ name }) => name)

const isObservability = (path: string) => path.startsWith("/api/")

/** Logins that fail, at every operation: the secret is in the Authorization header. */
export const failingLogins = (marks: Marks, { keys }: MarkedWorld): ReadonlyArray<Question> =>
  operations.flatMap(({ body, method, name, path }) => {
    const guess = marks.plant(`guess at ${name}`).value
    const headers: ReadonlyArray<readonly [string, string]> = [
      ["a wrong secret", basic(keys.admin.keyId, guess)],
      ["an unknown key", basic("nobody", guess)],
      ["a secret as key ID", basic(guess, guess)],
      ["a token", bearer(guess)],
      ["an unknown scheme", `Digest ${guess}`],
      ["no scheme", guess],
      ["no encoding", `Basic ${keys.admin.keyId}:${guess}`],
      ...(isObservability(path)
        ? [["a key", keys.admin.authorization] as const]
        : ([
            ["a disabled key", keys.disabled.authorization],
            ["an expired key", keys.expired.authorization]
          ] as const))
    ]
    return headers.map(([how, authorization]) => ({
      name: `${name} with ${how}`,
      method,
      path,
      authorization,
      body,
      status: 401
    }))
  })

/** Refusals of callers who are who they say: 403, 404, 405, 409, 413, 415 at every operation that can be refused so. */
export const refusals = (marks: Marks, { bearer: token, keys }: MarkedWorld): ReadonlyArray<Question> => {
  const { admin, developer, elsewhere, foreign } = keys
  const inBody = marks.plant("text of a body that is refused").value
  const management = operations.filter(({ path }) => !isObservability(path))
  const creates = operations.filter(({ method }) => method === "POST")
  const authorized = (path: string) => (isObservability(path) ? token : admin.authorization)
  const known = marks.plant("secret of a key that is there already").value
  const hashData = {
    keyIdHash: credentialHash(admin.keyId),
    keyIdSuffix: admin.keyId.slice(-4),
    keySecretHash: credentialHash(known)
  }
  return [
    ...management.flatMap((operation) => [
      { ...operation, name: `${operation.name} from elsewhere`, authorization: elsewhere.authorization, status: 403 },
      { ...operation, name: `${operation.name} of another`, authorization: foreign.authorization, status: 403 }
    ]),
    ...management
      .filter(({ name }) => name !== "pipe.get")
      .map((operation) => ({
        ...operation,
        name: `${operation.name} by a developer`,
        authorization: developer.authorization,
        status: 403
      })),
    {
      name: "no such pipe",
      method: "GET",
      path: pipePath(ids.unknown),
      authorization: admin.authorization,
      status: 404
    },
    { name: "no such path", method: "GET", path: "/v1/nowhere", authorization: admin.authorization, status: 404 },
    { name: "no such path", method: "GET", path: "/api/v2/nowhere", authorization: token, status: 404 },
    ...operations.map(({ name, path }) => ({
      name: `PATCH to ${name}`,
      method: "PATCH",
      path,
      authorization: authorized(path),
      body: { secret: inBody },
      status: 405
    })),
    {
      name: "a key ID twice",
      method: "POST",
      path: keysPath(),
      authorization: admin.authorization,
      body: { name: "x", hashData },
      status: 409
    },
    ...creates.flatMap(({ method, name, path }) => {
      const authorization = authorized(path)
      return [
        { name: `a large ${name}`, method, path, authorization, body: { name: inBody.repeat(40_000) }, status: 413 },
        { name: `${name} as text`, method, path, authorization, contentType: "text/plain", body: inBody, status: 415 },
        { name: `${name} of no JSON`, method, path, authorization, body: `{"name":"${inBody}`, status: 400 },
        { name: `${name} of text`, method, path, authorization, body: JSON.stringify(inBody), status: 400 }
      ]
    })
  ]
}

/** Bodies that are refused for one field, which holds the secret, or beside which it stands. */
export const badBodies = (marks: Marks, { bearer: token, keys: { admin } }: MarkedWorld): ReadonlyArray<Question> => {
  const secret = (field: string) => marks.plant(`value of ${field} in a body that is refused`).value
  const hash = credentialHash("x")
  const keyFields: ReadonlyArray<readonly [string, (value: string) => object]> = [
    ["name", (value) => ({ name: { value } })],
    ["name, too long", (value) => ({ name: value.repeat(20) })],
    ["state", (value) => ({ name: "x", state: value })],
    ["expireAt", (value) => ({ name: "x", expireAt: value })],
    ["roles", (value) => ({ name: "x", roles: [value] })],
    ["roles as text", (value) => ({ name: "x", roles: value })],
    ["ipAccessList", (value) => ({ name: "x", ipAccessList: [{ source: value }] })],
    [
      "hashData.keySecretHash",
      (value) => ({ name: "x", hashData: { keyIdHash: hash, keyIdSuffix: "abcd", keySecretHash: value } })
    ],
    [
      "hashData.keyIdHash",
      (value) => ({ name: "x", hashData: { keyIdHash: value, keyIdSuffix: "abcd", keySecretHash: hash } })
    ],
    [
      "hashData.keyIdSuffix",
      (value) => ({ name: "x", hashData: { keyIdHash: hash, keyIdSuffix: value, keySecretHash: hash } })
    ],
    ["hashData", (value) => ({ name: "x", hashData: value })],
    ["keySecret beside a bad field", (value) => ({ name: "", keySecret: value })]
  ]
  const dashboardFields: ReadonlyArray<readonly [string, (value: string) => object]> = [
    ["tags", (value) => ({ name: "x", tags: [value] })],
    ["tiles", (value) => ({ name: "x", tiles: [value] })],
    ["a tile's x", (value) => ({ name: "x", tiles: [{ x: value, y: 0, w: 1, h: 1 }] })],
    ["a series' aggFn", (value) => ({ name: "x", tiles: [{ x: 0, y: 0, w: 1, h: 1, series: [{ aggFn: value }] }] })],
    [
      "where beside a bad field",
      (value) => ({ name: "", tiles: [{ x: 0, y: 0, w: 1, h: 1, series: [{ where: value }] }] })
    ]
  ]
  const questions = (path: string, authorization: string, fields: typeof keyFields): ReadonlyArray<Question> =>
    fields.map(([field, body]) => ({
      name: `a bad ${field}`,
      method: "POST",
      path,
      authorization,
      body: body(secret(field)),
      status: 400
    }))
  return [
    ...questions(keysPath(), admin.authorization, keyFields),
    ...questions(dashboardsPath, token, dashboardFields)
  ]
}
