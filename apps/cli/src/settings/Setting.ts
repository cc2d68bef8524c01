import { fieldIssues, formatFieldIssues } from "@headgate/core"
import type * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { UsageError } from "../usage/UsageError.ts"

/** The value of a setting, and where it was found: `--url` or `HEADGATE_URL`. */
export interface Given<A> {
  readonly value: A
  readonly source: string
}

/** What a command can be told by flag or, failing that, by environment variable. */
export interface Setting<A, R = never> {
  /** How a user gives it: `--url <url> or HEADGATE_URL`. */
  readonly label: string
  readonly read: Effect.Effect<Option.Option<Given<A>>, UsageError, R>
}

/** A setting with the flag and the variable that it stands for. */
export interface NamedSetting<Id extends string, A> extends Setting<A, GlobalFlag.Setting.Identifier<Id>> {
  readonly name: Id
  readonly variable: string
  readonly flag: GlobalFlag.Setting<Id, Option.Option<A>>
}

/**
 * A setting whose flag wins over its environment variable. A variable that is set to nothing counts as not set, as
 * CI systems leave them.
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
  const from = (source: string) => Option.map((value: A): Given<A> => ({ value, source }))
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

/** The setting, or the other where it was not given. */
export const orElse = <A, R1, R2>(setting: Setting<A, R1>, other: Setting<A, R2>): Setting<A, R1 | R2> => ({
  label: `${setting.label}, else ${other.label}`,
  read: Effect.flatMap(setting.read, (given): Effect.Effect<Option.Option<Given<A>>, UsageError, R2> =>
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

/** Fails with one usage error that names every setting of the list that was not given. */
export const requireAll = <R>(settings: ReadonlyArray<Setting<unknown, R>>): Effect.Effect<void, UsageError, R> =>
  Effect.forEach(settings, (setting) =>
    Effect.map(setting.read, (given) => (Option.isNone(given) ? [setting.label] : []))
  ).pipe(
    Effect.map((labels) => labels.flat()),
    Effect.flatMap((labels) => (labels.length === 0 ? Effect.void : Effect.fail(missing(labels))))
  )

/** Reads a setting that a command cannot do without. */
export const required = <A, R>(setting: Setting<A, R>): Effect.Effect<Given<A>, UsageError, R> =>
  Effect.flatMap(
    setting.read,
    Option.match({ onNone: () => Effect.fail(missing([setting.label])), onSome: Effect.succeed })
  )

/** Checks the text of a setting against a schema of the domain; the error names where the text came from. */
export const decode = <A>(schema: Schema.Codec<A, string>, given: Given<string>): Effect.Effect<A, UsageError> =>
  Result.match(Schema.decodeUnknownResult(schema)(given.value), {
    onSuccess: Effect.succeed,
    onFailure: (error) =>
      Effect.fail(
        new UsageError({ message: `${given.source} "${given.value}": ${formatFieldIssues(fieldIssues(error))}.` })
      )
  })
