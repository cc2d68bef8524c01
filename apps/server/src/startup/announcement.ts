import * as Redacted from "effect/Redacted"
import type { MintedCredentials } from "./mintCredentials.ts"

const shown = ({ keyId, keySecret, organization, token }: MintedCredentials): ReadonlyArray<string> => [
  `Organization ${organization.name}`,
  `  organization  ${organization.id}`,
  ...organization.services.map(({ id, name }) => `  service       ${id}  ${name}`),
  ...(keyId === undefined ? [] : [`  key ID        ${keyId}`]),
  ...(keySecret === undefined ? [] : [`  key secret    ${Redacted.value(keySecret)}`]),
  ...(token === undefined ? [] : [`  bearer token  ${Redacted.value(token)}`])
]

/** What is printed once, when credentials were minted: there is no second chance to read them. */
export const mintedText = (minted: ReadonlyArray<MintedCredentials>): string =>
  [
    "New credentials, shown this once and stored only as hashes:",
    "",
    ...minted.flatMap((credentials) => [...shown(credentials), ""])
  ].join("\n")

/** What is printed when the server takes requests. */
export const listeningText = (url: string, store: string): string =>
  [`headgate-server listening on ${url}`, `  store  ${store}`, `  docs   ${url}/docs`, ""].join("\n")
