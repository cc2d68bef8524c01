import type { PipeCredentials } from "@headgate/core/adapter"
import { Source, SourceError } from "@headgate/mover"
import { ObjectStorage, objectStorageOptionsOf } from "@headgate/mover-object-storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { AllowedSources } from "./allowedSources.ts"
import { type ReadSource, type RangesKind, SourceRefused } from "./SourceKind.ts"

const StoredKey = Schema.Struct({
  accessKeyId: Schema.optionalKey(Schema.NullOr(Schema.String)),
  secretKey: Schema.optionalKey(Schema.NullOr(Schema.String))
})

const accessKeyOf = (credentials: PipeCredentials) => {
  const stored = credentials["objectStorage.accessKey"]
  if (stored === undefined) return Effect.succeed({})
  return Schema.decodeUnknownEffect(StoredKey)(Redacted.value(stored)).pipe(
    Effect.map((key) => ({ accessKey: Redacted.make(key) })),
    // The error of a schema would show the credentials.
    Effect.mapError(
      () => new SourceRefused({ path: "source.objectStorage.accessKey", message: "Expected an ID and a secret" })
    )
  )
}

const optionsOf = Effect.fnUntraced(function* (
  { credentials, settings, source }: ReadSource,
  { refusal, resolve }: AllowedSources
) {
  const pollingIntervalMs = settings.object_storage_polling_interval_ms
  // A setting of this server, which the published schema does not know.
  const exactlyOnce = settings["object_storage_exactly_once"] ?? true
  if (!Predicate.isBoolean(exactlyOnce)) {
    return yield* new SourceRefused({ path: "settings.object_storage_exactly_once", message: "Expected true or false" })
  }
  const more = { ...(yield* accessKeyOf(credentials)), pollingIntervalMs }
  const options = yield* objectStorageOptionsOf(source.objectStorage ?? {}, more).pipe(
    Effect.mapError(({ field, message }) => new SourceRefused({ path: `source.objectStorage.${field}`, message }))
  )
  const message = refusal(new URL(options.url).hostname)
  if (message !== undefined) return yield* new SourceRefused({ path: "source.objectStorage.url", message })
  return {
    ...options,
    resolve: (host: string) => Effect.mapError(resolve(host), ({ message }) => new SourceError({ message }))
  }
})

const open = (read: ReadSource, allowed: AllowedSources) => Effect.flatMap(optionsOf(read, allowed), ObjectStorage.make)

/** Objects of storages with the interface of S3. */
export const objectStorageKind: RangesKind = {
  sample: { firstObject: (read, allowed) => Effect.flatMap(open(read, allowed), ({ first }) => first) },
  check: (read, allowed) => Effect.asVoid(optionsOf(read, allowed)),
  probe: Effect.fnUntraced(function* (_, read, allowed) {
    const { check } = yield* ObjectStorage.make(yield* optionsOf(read, allowed))
    yield* check
    return []
  }),
  layer: (read, allowed) =>
    Layer.effect(
      Source,
      Effect.map(open(read, allowed), ({ source }) => source).pipe(
        Effect.catchTag("SourceError", ({ message }) =>
          Effect.fail(new SourceRefused({ path: "source.objectStorage.url", message }))
        )
      )
    )
}
