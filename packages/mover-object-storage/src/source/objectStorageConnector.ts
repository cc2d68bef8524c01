import { type RangesConnector, readSecret, type SourceConfig, SourceError, SourceRefused } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { objectStorageOptionsOf } from "../options/ObjectStorageOptions.ts"
import { ObjectStorage } from "./ObjectStorage.ts"

const StoredKey = Schema.Struct({
  accessKeyId: Schema.optionalKey(Schema.NullOr(Schema.String)),
  secretKey: Schema.optionalKey(Schema.NullOr(Schema.String))
})

const optionsOf = Effect.fnUntraced(function* ({ allowed, credentials, settings, source }: SourceConfig) {
  const accessKey = yield* readSecret(credentials, "objectStorage.accessKey", StoredKey, "an ID and a secret")
  const pollingIntervalMs = settings.object_storage_polling_interval_ms
  const more = { ...(accessKey === undefined ? {} : { accessKey }), pollingIntervalMs }
  const options = yield* objectStorageOptionsOf(source.objectStorage ?? {}, more)
  const message = allowed.refusal(new URL(options.url).hostname)
  if (message !== undefined) return yield* new SourceRefused({ path: "source.objectStorage.url", message })
  return { ...options, resolve: allowed.resolve, trustedHosts: allowed.trustedStorages }
})

const noObject = new SourceError({ field: "url", message: "no object has a key that it matches" })

/** Objects of storages with the interface of S3. */
export const objectStorageConnector: RangesConnector = {
  _tag: "Ranges",
  configure: Effect.fnUntraced(function* (config) {
    // A setting of this server, which the published schema does not know.
    const exactlyOnce = config.settings["object_storage_exactly_once"] ?? true
    if (!Predicate.isBoolean(exactlyOnce)) {
      return yield* new SourceRefused({
        path: "settings.object_storage_exactly_once",
        message: "Expected true or false"
      })
    }
    const options = yield* optionsOf(config)
    const opened = ObjectStorage.make(options)
    return {
      _tag: "Ranges",
      layer: ObjectStorage.layer(options),
      objects: exactlyOnce ? "stage" : "insert",
      probe: Effect.as(
        Effect.flatMap(opened, ({ check }) => check),
        []
      ),
      sample: {
        _tag: "Object",
        first: opened.pipe(
          Effect.flatMap(({ first }) => first),
          Effect.filterOrFail(Predicate.isNotUndefined, () => noObject)
        ),
        any: Effect.flatMap(opened, ({ any }) => any),
        locationField: "url",
        formatField: "format"
      }
    }
  })
}
