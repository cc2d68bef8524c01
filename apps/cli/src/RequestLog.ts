import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpClient from "effect/http/HttpClient"
import type { HttpClientRequest } from "effect/http/HttpClientRequest"

// Method and URL, but no headers or bodies: those hold secrets.
const line = ({ method, url }: HttpClientRequest, status: string | number, took: Duration.Duration): string =>
  `${method} ${url} ${status} ${Math.round(Duration.toMillis(took))}ms`

/** Logs every request at level debug: `--log-level debug` shows them. */
export const layer = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(
    HttpClient.HttpClient,
    HttpClient.transform((send, request) =>
      Effect.timed(Effect.exit(send)).pipe(
        Effect.flatMap(([took, exit]) =>
          Effect.andThen(
            Effect.logDebug(line(request, exit._tag === "Success" ? exit.value.status : "no response", took)),
            exit
          )
        )
      )
    )
  )
)
