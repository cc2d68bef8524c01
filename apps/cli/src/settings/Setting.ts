import { fieldIssues, formatFieldIssues } from "@headgate/core"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import { UsageError } from "../error/CommandError.ts"

/** The value of a setting and its source: `--url` or `HEADGATE_URL`. */
export interface SettingValue<A> {
  readonly value: A
  readonly source: string
}

/** A value that a flag or an environment variable sets. */
export interface Setting<A, R = never> {
  /** How to set it: `--url <url> or HEADGATE_URL`. */
  readonly label: string
  readonly read: Effect.Effect<Option.Option<SettingValue<A>>, UsageError, R>
}

/** A setting with its flag and its environment variable. */
export interface NamedSetting<Id extends string, A> extends Setting<A, GlobalFlag.Setting.Identifier<Id>> {
  readonly name: Id
  readonly variable: string
  readonly flag: GlobalFlag.Setting<Id, Option.Option<A>>
}

/**
 * Makes a setting. Its flag overrides its environment variable. An empty variable counts as not set, as CI systems often
 * set them.
 */
export const make = <const Id extends string, A>(options: {
  readonly name: Id
  readonly variable: string
  readonly metavar: string
  readonly flag: Flag.Flag<Option.Option<A>>
  readonly fromText: (text: string) => A
}): NamedSetting<Id, A> => {
  const flag = GlobalFlag.Setting(options.name)({ flag: options.flag })
  const fromEnvironment = Config.NonEmptyString(options.variable).pipe(Config.map(options.fromText), Effect.option)
  const from = (source: string) => Option.map((value: A): SettingValue<A> => ({ value, source }))
  return {
    name: options.name,
    variable: options.variable,
    label: `--${options.name} <${options.metavar}> or ${options.variable}`,
    flag,
    read: flag.use((given) =>
      Option.isSome(given)
        ? Effect.succeed(from(`--${options.name}`)(given))
        : Effect.map(fromEnvironment, from(options.variable))
    )
  }
}

/** The first setting that is set. */
export const orElse = <A, R1, R2>(setting: Setting<A, R1>, other: Setting<A, R2>): Setting<A, R1 | R2> => ({
  label: `${setting.label}, else ${other.label}`,
  read: Effect.flatMap(setting.read, (given): Effect.Effect<Option.Option<SettingValue<A>>, UsageError, R2> =>
    Option.isSome(given) ? Effect.succeed(given) : other.read
  )
})

const missing = (labels: ReadonlyArray<string>) =>
  new UsageError({
    message:
      labels.length === 1
        ? `Missing setting: give ${labels[0]}.`
        : ["Missing settings. Give:", ...labels.map((label) => `  ${label}`)].join("\n")
  })

/** Fails with one usage error that names every setting that is not set. */
export const requireAll = <R>(settings: ReadonlyArray<Setting<unknown, R>>): Effect.Effect<void, UsageError, R> =>
  Effect.forEach(settings, (setting) =>
    Effect.map(setting.read, (given) => (Option.isNone(given) ? [setting.label] : []))
  ).pipe(
    Effect.map((labels) => labels.flat()),
    Effect.flatMap((labels) => (labels.length === 0 ? Effect.void : Effect.fail(missing(labels))))
  )

/** Reads a required setting. */
export const required = <A, R>(setting: Setting<A, R>): Effect.Effect<SettingValue<A>, UsageError, R> =>
  Effect.flatMap(
    setting.read,
    Option.match({ onNone: () => Effect.fail(missing([setting.label])), onSome: Effect.succeed })
  )

/** Decodes the text of a setting. The error names its source. */
export const decode = <A>(schema: Schema.Codec<A, string>, given: SettingValue<string>): Effect.Effect<A, UsageError> =>
  Result.match(Schema.decodeUnknownResult(schema)(given.value), {
    onSuccess: Effect.succeed,
    onFailure: (error) =>
      Effect.fail(
        new UsageError({ message: `${given.source} "${given.value}": ${formatFieldIssues(fieldIssues(error))}.` })
      )
  })
