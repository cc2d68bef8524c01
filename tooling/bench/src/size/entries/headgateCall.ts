import { type PipeAddress, Pipes } from "@headgate/core"
import { HttpPipes, ManagementConnection } from "@headgate/http-adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as FetchHttpClient from "effect/http/FetchHttpClient"

export const call = (baseUrl: string, keyId: string, keySecret: string, address: PipeAddress) =>
  Pipes.use((pipes) => pipes.get(address)).pipe(
    Effect.provide(
      HttpPipes.layer.pipe(
        Layer.provide(ManagementConnection.layer({ baseUrl, keyId, keySecret: Redacted.make(keySecret) })),
        Layer.provide(FetchHttpClient.layer)
      )
    ),
    Effect.runPromise
  )
