import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { generate } from "selfsigned"

/** Writes a fresh certificate for localhost over the one that may be there. */
export const writeCertificate = (directory: string) =>
  Effect.promise(async () => {
    const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], { keySize: 2048 })
    writeFileSync(join(directory, "cert.pem"), cert)
    writeFileSync(join(directory, "key.pem"), key)
    return cert
  })

/** The flags that serve with it. */
export const tls = (directory: string) => [
  "--tls-cert",
  join(directory, "cert.pem"),
  "--tls-key",
  join(directory, "key.pem")
]
