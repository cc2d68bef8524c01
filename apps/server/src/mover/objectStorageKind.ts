import { Source } from "@headgate/mover"
import { ObjectStorage, objectStorageOptionsOf } from "@headgate/mover-object-storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { AllowedSources } from "./allowedSources.ts"
import { readSecret, type ReadSource, type RangesKind, SourceRefused } from "./SourceKind.ts"

const StoredKey = Schema.Struct({
  accessKeyId: Schema.optionalKey(Schema.NullOr(Schema.String)),
  secretKey: Schema.optionalKey(Schema.NullOr(Schema.String))
})

const optionsOf = Effect.fnUntraced(function* (
  { credentials, settings, source }: ReadSource,
  { refusal, resolve, trustedStorages }: AllowedSources
) {
  const pollingIntervalMs = settings.object_storage_polling_interval_ms
  // A setting of this server, which the published schema does not know.
  const exactlyOnce = settings["object_storage_exactly_once"] ?? true
  if (!Predicate.isBoolean(exactlyOnce)) {
    return yield* new SourceRefused({ path: "settings.object_storage_exactly_once", message: "Expected true or false" })
  }
  const accessKey = yield* readSecret(credentials, "objectStorage.accessKey", StoredKey, "an ID and a secret")
  const more = { ...(accessKey === undefined ? {} : { accessKey }), pollingIntervalMs }
  const options = yield* objectStorageOptionsOf(source.objectStorage ?? {}, more).pipe(
    Effect.mapError(({ field, message }) => new SourceRefused({ path: `source.objectStorage.${field}`, message }))
  )
  const message = refusal(new URL(options.url).hostname)
  if (message !== undefined) return yield* new SourceRefused({ path: "source.objectStorage.url", message })
  return { ...options, resolve, trustedHosts: trustedStorages }
})

const open = (read: ReadSource, allowed: AllowedSources) => Effect.flatMap(optionsOf(read, allowed), ObjectStorage.make)

/** Objects of storages with the interface of S3. */
export const objectStorageKind: RangesKind = {
  sample: {
    firstObject: (read, allowed) => Effect.flatMap(open(read, allowed), ({ first }) => first),
    anyObject: (read, allowed) => Effect.flatMap(open(read, allowed), ({ any }) => any)
  },
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
