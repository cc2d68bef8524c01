import type { CreatedApiKey } from "@headgate/core"
import type { CreatedToken } from "@headgate/core/adapter"
import * as Redacted from "effect/Redacted"
import { tokenHeader } from "../admin/AdminAccess.ts"
import { runId } from "../admin/runId.ts"
import type { FirstCredentials } from "../store/firstCredentials.ts"
import { testCredentials } from "../store/testCredentials.ts"

export const keyLines = ({ keyId, keySecret }: CreatedApiKey): ReadonlyArray<string> =>
  keyId === undefined || keySecret === undefined
    ? []
    : [`  key ID        ${keyId}`, `  key secret    ${Redacted.value(keySecret)}`]

export const tokenLines = ({ secret }: CreatedToken): ReadonlyArray<string> => [
  `  bearer token  ${Redacted.value(secret)}`
]

const organizationLines = ({ organization }: FirstCredentials): ReadonlyArray<string> => [
  ...(organization.name === "" ? [] : [`Organization ${organization.name}`]),
  `  organization  ${organization.id}`,
  ...organization.services.map(({ id, name }) => `  service       ${id}  ${name}`)
]

/** Shows first credentials. They are stored as hashes: nothing can show them again. */
export const credentialsText = (created: ReadonlyArray<FirstCredentials>): string =>
  [
    "New credentials, shown this once and stored only as hashes:",
    "",
    ...created.flatMap((credentials) => [
      ...organizationLines(credentials),
      ...(credentials.key === undefined ? [] : keyLines(credentials.key)),
      ...(credentials.token === undefined ? [] : tokenLines(credentials.token)),
      ""
    ])
  ].join("\n")

/** Names the file that holds first credentials, and shows no secret: stderr often goes to a log that many may read. */
export const credentialsFileText = (path: string, created: ReadonlyArray<FirstCredentials>): string =>
  [
    `New credentials are in ${path}, and stored only as hashes elsewhere:`,
    "",
    ...created.flatMap((credentials) => [...organizationLines(credentials), ""])
  ].join("\n")

export const listeningText = (
  url: string,
  { hasConsole, store, warehouse }: { hasConsole: boolean; store: string; warehouse: string | undefined }
): string =>
  [
    `headgate-server listening on ${url}`,
    `  store    ${store}`,
    ...(warehouse === undefined ? [] : [`  pipes    move rows to ${warehouse}`]),
    ...(hasConsole ? [`  console  ${url}/console`] : []),
    `  docs     ${url}/docs`,
    ""
  ].join("\n")

export const testCredentialsWarning = [
  "WARNING: --test-credentials is for tests. Everybody knows these, and who reaches this server can sign in with them:",
  ...Object.entries(testCredentials).map(([name, value]) => `  ${name.padEnd(14)}  ${value}`),
  ""
].join("\n")

export const adminWarning = (url: string, hasToken: boolean): string =>
  [
    `WARNING: --admin is for tests. ${
      hasToken
        ? `Every caller with the admin token in the header ${tokenHeader} may, from anywhere:`
        : "Any program on this machine may, without credentials:"
    }`,
    `  reset the store to its state at the start  POST ${url}/_admin/reset`,
    `  add data to the store                      POST ${url}/_admin/seed`,
    `  read the requests to this server           GET  ${url}/_admin/requests`,
    `  inject faults                              PUT  ${url}/_admin/faults`,
    `  hold a pipe in a state                     PUT  ${url}/_admin/pipe-state`,
    `  set the state of a service                 PUT  ${url}/_admin/service-state`,
    `  let the time of the simulation pass        POST ${url}/_admin/clock`,
    ...(hasToken ? [] : ["Put no proxy in front of it: the clients of the proxy could do the same."]),
    "Send this header to /_admin, and a server of another run refuses the request:",
    `  Headgate-Run: ${runId}`,
    ""
  ].join("\n")
