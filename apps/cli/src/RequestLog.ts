import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import type { HttpClientRequest } from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"

// Method and address, never headers or bodies: those hold secrets.
const line = ({ method, url }: HttpClientRequest, answer: string | number, took: Duration.Duration): string =>
  `${method} ${url} ${answer} ${Math.round(Duration.toMillis(took))}ms`

/** Logs every request that is sent, at level debug: `--log-level debug` shows them. */
export const layer = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(
    HttpClient.HttpClient,
    HttpClient.transform((send, request) =>
      Effect.timed(Effect.exit(send)).pipe(
        Effect.flatMap(([took, exit]) =>
          Effect.andThen(
            Effect.logDebug(line(request, exit._tag === "Success" ? exit.value.status : "no answer", took)),
            exit
          )
        )
      )
    )
  )
)
