import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { type ConnectionOptions, HttpAdapter } from "../../src/index.ts"

/** The credentials of the tests: no output may show them. */
export const secrets = { keySecret: "SECRET-key-7f3a", token: "SECRET-token-91bc" }

export const management = { keyId: "key-id", keySecret: Redacted.make(secrets.keySecret) }
export const observability = { token: Redacted.make(secrets.token) }

/** All ports over one base URL, with these credentials. */
export const layerPorts = (options: ConnectionOptions) =>
  Layer.merge(
    HttpAdapter.layerManagement({ ...options, ...management }),
    HttpAdapter.layerObservability({ ...options, ...observability })
  )
