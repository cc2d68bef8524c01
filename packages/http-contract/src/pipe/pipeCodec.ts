import { Pipe, PipeCreate, PipeUpdate, Settings, SettingsUpdate } from "@headgate/core"
import { looseStruct, nullish, withIdentifier } from "@headgate/core/adapter"
import { memoize } from "effect/Function"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { type Dialect, neutral, renameSetting } from "../Dialect.ts"
import { sourceAsSent, SourceCreateOnWire, SourceOnWire } from "./kinesisTimestamp.ts"

const descriptionOf = (schema: Schema.Top): string => Schema.resolveAnnotations(schema)?.description ?? ""

type SettingField = (typeof Settings.schema.fields)[keyof typeof Settings.schema.fields]

const settingsOnWire = (
  dialect: Dialect,
  identifier: string,
  settings: typeof Settings | typeof SettingsUpdate,
  fields: { readonly [name: string]: SettingField }
) => {
  const rename = <A>(settings: { readonly [name: string]: A }) =>
    Record.mapKeys(settings, (name) => renameSetting(dialect, name))
  return looseStruct<Record<never, never>>(rename(fields))
    .annotate({ identifier, description: descriptionOf(settings) })
    .pipe(
      Schema.decodeTo(
        Schema.toType(settings),
        SchemaTransformation.transform({
          // The struct of the dialect has decoded every field. Only the names change here.
          decode: (wire) => rename(wire) as Settings,
          encode: (settings) => rename(settings)
        })
      )
    )
}

/**
 * The codec of the settings of a pipe in a dialect: the same one each time, so that OpenAPI has it once. Contract:
 * docs/wire-contract.md#settings.
 *
 * @example
 * ```ts
 * import { clickhouse, settingsCodec } from "@headgate/http-contract"
 * import * as Schema from "effect/Schema"
 *
 * const settings = Schema.decodeUnknownSync(settingsCodec(clickhouse))({ clickhouse_max_threads: 4 })
 * console.log(settings) // { db_max_threads: 4 }
 * ```
 */
export const settingsCodec: (dialect: Dialect) => Schema.Codec<Settings, object> = memoize((dialect: Dialect) =>
  dialect.name === neutral.name ? Settings : settingsOnWire(dialect, "Settings", Settings, Settings.schema.fields)
)

/** The codec of the request for new settings in a dialect. */
export const settingsUpdateCodec = (dialect: Dialect): Schema.Codec<SettingsUpdate, object> =>
  dialect.name === neutral.name
    ? SettingsUpdate
    : settingsOnWire(dialect, "SettingsUpdate", SettingsUpdate, SettingsUpdate.schema.fields)

/**
 * The codec of a pipe in a dialect: `Pipe` of core with renamed settings. Contract:
 * docs/wire-contract.md#fields-of-a-pipe.
 *
 * @example
 * ```ts
 * import { clickhouse, pipeCodec } from "@headgate/http-contract"
 * import * as Schema from "effect/Schema"
 *
 * const pipe = Schema.decodeUnknownSync(pipeCodec(clickhouse))({
 *   id: "6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f",
 *   serviceId: "0b9a8c7d-1e2f-4a3b-9c4d-5e6f7a8b9c0d",
 *   name: "orders",
 *   state: "Running",
 *   settings: { clickhouse_max_threads: 4, clickhouse_new_setting: "kept" }
 * })
 * console.log(pipe.settings) // { db_max_threads: 4, db_new_setting: 'kept' }
 * ```
 */
export const pipeCodec = (dialect: Dialect): Schema.Codec<Pipe, object> =>
  dialect.name === neutral.name
    ? Pipe
    : looseStruct({
        ...Pipe.schema.fields,
        source: nullish(SourceOnWire, descriptionOf(Pipe.schema.fields.source)),
        settings: nullish(
          settingsOnWire(dialect, "Settings", Settings, Settings.schema.fields),
          descriptionOf(Pipe.schema.fields.settings)
        )
      }).pipe(withIdentifier("Pipe", descriptionOf(Pipe)))

/**
 * The codec of the request for a new pipe in a dialect.
 *
 * @example
 * ```ts
 * import { clickhouse, pipeCreateCodec } from "@headgate/http-contract"
 * import * as Schema from "effect/Schema"
 *
 * const read = Schema.decodeUnknownSync(pipeCreateCodec(clickhouse))
 * console.log(read({ name: "orders", source: {}, settings: { clickhouse_max_threads: 4 } }).settings)
 * // { db_max_threads: 4 }
 * ```
 */
export const pipeCreateCodec = (dialect: Dialect): Schema.Codec<PipeCreate, object> =>
  dialect.name === neutral.name
    ? PipeCreate
    : looseStruct({
        ...PipeCreate.schema.fields,
        source: SourceCreateOnWire.annotateKey({
          description: "Where the pipe reads its data: exactly one kind of source."
        }),
        settings: nullish(settingsUpdateCodec(dialect), descriptionOf(PipeCreate.schema.fields.settings))
      }).pipe(withIdentifier("PipeCreate", descriptionOf(PipeCreate)))

/**
 * The codec of the changes of a pipe in a dialect.
 *
 * @example
 * ```ts
 * import { clickhouse, pipeUpdateCodec } from "@headgate/http-contract"
 * import * as Schema from "effect/Schema"
 *
 * const read = Schema.decodeUnknownSync(pipeUpdateCodec(clickhouse))
 * console.log(read({ settings: { clickhouse_max_threads: null } }).settings) // { db_max_threads: null }
 * ```
 */
export const pipeUpdateCodec = (dialect: Dialect): Schema.Codec<PipeUpdate, object> =>
  dialect.name === neutral.name
    ? PipeUpdate
    : looseStruct({
        ...PipeUpdate.schema.fields,
        settings: nullish(settingsUpdateCodec(dialect), descriptionOf(PipeUpdate.schema.fields.settings))
      }).pipe(withIdentifier("PipeUpdate", descriptionOf(PipeUpdate)))

/**
 * Renames the settings in the JSON text of a stored pipe, and answers a timestamp of kinesis as it was sent. The result is the text that {@link pipeCodec} would write, without
 * decoding and checking the pipe.
 *
 * @example
 * ```ts
 * import { clickhouse, renamePipeJson } from "@headgate/http-contract"
 *
 * const stored = '{"name":"orders","settings":{"db_max_threads":8}}'
 * console.log(renamePipeJson(clickhouse)(stored)) // {"name":"orders","settings":{"clickhouse_max_threads":8}}
 * ```
 */
export const renamePipeJson = (dialect: Dialect): ((text: string) => string) => {
  if (dialect.name === neutral.name) return (text) => text
  return (text) => {
    const pipe = JSON.parse(text)
    const { settings, source } = pipe
    return JSON.stringify({
      ...pipe,
      ...(Predicate.isObject(settings)
        ? { settings: Record.mapKeys(settings, (name) => renameSetting(dialect, name)) }
        : {}),
      ...(Predicate.isObject(source) ? { source: sourceAsSent(source) } : {})
    })
  }
}
