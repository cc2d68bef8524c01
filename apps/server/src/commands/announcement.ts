import type { CreatedApiKey } from "@headgate/core"
import type { CreatedToken } from "@headgate/core/adapter"
import * as Redacted from "effect/Redacted"
import type { MintedCredentials } from "../store/firstCredentials.ts"

/** The credentials of a new key, a line each. */
export const keyLines = ({ keyId, keySecret }: CreatedApiKey): ReadonlyArray<string> =>
  keyId === undefined || keySecret === undefined
    ? []
    : [`  key ID        ${keyId}`, `  key secret    ${Redacted.value(keySecret)}`]

/** The secret of a new token, on a line. */
export const tokenLines = ({ secret }: CreatedToken): ReadonlyArray<string> => [
  `  bearer token  ${Redacted.value(secret)}`
]

const place = ({ organization }: MintedCredentials): ReadonlyArray<string> => [
  `Organization ${organization.name}`,
  `  organization  ${organization.id}`,
  ...organization.services.map(({ id, name }) => `  service       ${id}  ${name}`)
]

const shown = (minted: MintedCredentials): ReadonlyArray<string> => [
  ...place(minted),
  ...(minted.key === undefined ? [] : keyLines(minted.key)),
  ...(minted.token === undefined ? [] : tokenLines(minted.token))
]

/** What is printed once, when credentials were minted: there is no second chance to read them. */
export const mintedText = (minted: ReadonlyArray<MintedCredentials>): string =>
  [
    "New credentials, shown this once and stored only as hashes:",
    "",
    ...minted.flatMap((credentials) => [...shown(credentials), ""])
  ].join("\n")

/** What is printed when a file holds them: a log that many may read keeps what is printed. */
export const writtenText = (path: string, minted: ReadonlyArray<MintedCredentials>): string =>
  [
    `New credentials are in ${path}, and stored only as hashes elsewhere:`,
    "",
    ...minted.flatMap((credentials) => [...place(credentials), ""])
  ].join("\n")

/** What is printed when the server takes requests. */
export const listeningText = (url: string, store: string, workers: number): string =>
  [
    `headgate-server listening on ${url}`,
    `  store    ${store}`,
    ...(workers > 1 ? [`  workers  ${workers}`] : []),
    `  docs     ${url}/docs`,
    ""
  ].join("\n")

/** What is printed when the server lets itself be steered. */
export const adminWarning = (url: string): string =>
  [
    "WARNING: --admin is for tests. Whoever can run a program on this machine may, without credentials:",
    `  reset the store to what it holds now   POST ${url}/_admin/reset`,
    `  add to it                              POST ${url}/_admin/seed`,
    `  read what is asked of this server      GET  ${url}/_admin/requests`,
    `  make it answer wrongly, or not at all  PUT  ${url}/_admin/faults`,
    "Put no proxy in front of it: whoever the proxy lets in may do the same.",
    ""
  ].join("\n")
