import { fieldIssues, formatFieldIssues } from "@headgate/core"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import { UsageError } from "../error/CommandError.ts"

/** The value of a setting and its source: `--url`, `HEADGATE_URL` or the profile. */
export interface SettingValue<A> {
  readonly value: A
  readonly source: string
}

/** A value that a flag, an environment variable or a profile sets. */
export interface Setting<A, R = never> {
  /** How to set it: `--url <url> or HEADGATE_URL`. */
  readonly label: string
  readonly read: Effect.Effect<Option.Option<SettingValue<A>>, UsageError, R>
  /** Why a profile does not set it, for the error of a missing setting; empty if there is nothing to say. */
  readonly whyMissing: Effect.Effect<string, never, R>
}

/** A setting with its flag and its environment variable. */
export interface NamedSetting<Id extends string, A, R = GlobalFlag.Setting.Identifier<Id>> extends Setting<A, R> {
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
    ),
    whyMissing: Effect.succeed("")
  }
}

/** The first setting that is set. */
export const orElse = <A, R1, R2>(setting: Setting<A, R1>, other: Setting<A, R2>): Setting<A, R1 | R2> => ({
  label: `${setting.label}, else ${other.label}`,
  read: Effect.flatMap(setting.read, (given): Effect.Effect<Option.Option<SettingValue<A>>, UsageError, R2> =>
    Option.isSome(given) ? Effect.succeed(given) : other.read
  ),
  whyMissing: setting.whyMissing
})

const missing = <R>(settings: ReadonlyArray<Setting<unknown, R>>) =>
  Effect.flatMap(
    Effect.forEach(settings, ({ whyMissing }) => whyMissing),
    (reasons) => {
      const why = Array.from(new Set(reasons.filter((reason) => reason !== ""))).join("\n")
      const labels = settings.map(({ label }) => label)
      const message =
        labels.length === 1
          ? `Missing setting: give ${labels[0]}.`
          : ["Missing settings. Give:", ...labels.map((label) => `  ${label}`)].join("\n")
      return Effect.fail(new UsageError({ message: why === "" ? message : `${message}\n${why}` }))
    }
  )

/** The value of a setting, without its source. */
export const valueOf = <A, R>(setting: Setting<A, R>): Effect.Effect<Option.Option<A>, UsageError, R> =>
  Effect.map(
    setting.read,
    Option.map(({ value }) => value)
  )

/** Fails with one usage error that names every setting that is not set. */
export const requireAll = <R>(settings: ReadonlyArray<Setting<unknown, R>>): Effect.Effect<void, UsageError, R> =>
  Effect.filter(settings, (setting) => Effect.map(setting.read, Option.isNone)).pipe(
    Effect.flatMap((absent) => (absent.length === 0 ? Effect.void : missing(absent)))
  )

/** Reads a required setting. */
export const required = <A, R>(setting: Setting<A, R>): Effect.Effect<SettingValue<A>, UsageError, R> =>
  Effect.flatMap(setting.read, Option.match({ onNone: () => missing([setting]), onSome: Effect.succeed }))

/** Decodes the text of a setting. The error names its source. */
export const decode = <A>(schema: Schema.Codec<A, string>, given: SettingValue<string>): Effect.Effect<A, UsageError> =>
  Result.match(Schema.decodeUnknownResult(schema)(given.value), {
    onSuccess: Effect.succeed,
    onFailure: (error) =>
      Effect.fail(
        new UsageError({ message: `${given.source} "${given.value}": ${formatFieldIssues(fieldIssues(error))}.` })
      )
  })
