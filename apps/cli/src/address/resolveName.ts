import { escapeTerminalLine } from "@headgate/command-line"
import { nearestField } from "@headgate/core/adapter"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Argument from "effect/cli/Argument"
import { AmbiguousName, NameNotFound } from "../error/CommandError.ts"
import type { Setting } from "../settings/Setting.ts"
import { validate } from "../usage/validate.ts"

/** Whether a key has expired. */
export const isExpired = ({ expireAt }: Pick<Named<string>, "expireAt">, now: DateTime.Utc): boolean =>
  Predicate.isNotNullish(expireAt) && DateTime.isLessThanOrEqualTo(expireAt, now)

interface Named<Id extends string> {
  readonly id: Id
  readonly name?: string | null | undefined
  /** Of a key. */
  readonly expireAt?: DateTime.Utc | null | undefined
}

/** What has an id and a name, such as a pipe. */
export interface Noun<Id extends string, E, R> {
  /** Its command: `headgate <noun> list`. */
  readonly noun: string
  /** The id in a text that is one; any other text is a name. */
  readonly idIn: (text: string) => Option.Option<Id>
  /** Calls the list of its port, once. */
  readonly list: Effect.Effect<ReadonlyArray<Named<Id>>, E, R>
}

/** What messages call one of a noun, and several: `a saved search`, `saved searches`. */
export const wordsOf = (noun: string) => {
  const words = noun.replaceAll("-", " ")
  return {
    words,
    one: `${/^[aeiou]/.test(words) ? "an" : "a"} ${words}`,
    many: words.endsWith("ch") ? `${words}es` : `${words}s`
  }
}

// More are left out of a message.
const maxCandidates = 20

const candidates = (found: ReadonlyArray<Named<string>>): ReadonlyArray<string> => [
  ...found
    .slice(0, maxCandidates)
    .map(({ id, name }) => `  ${[id, name ?? ""].map(escapeTerminalLine).join("  ").trimEnd()}`),
  ...(found.length > maxCandidates ? [`  and ${found.length - maxCandidates} more`] : [])
]

/**
 * The id of what a text names: the text itself if it is an id, else that of the only element with this id or name. `source`
 * is where the text was given. An expired key is not meant if another has its name. Fails with `AmbiguousName` if several have the
 * name, and with `NameNotFound` if none has.
 */
export const resolveName = Effect.fnUntraced(function* <Id extends string, E, R>(
  { idIn, list, noun }: Noun<Id, E, R>,
  text: string,
  source: string
) {
  const id = idIn(text)
  if (Option.isSome(id)) return id.value
  const all = yield* list
  const withId = all.find((element) => element.id === text)
  if (withId !== undefined) return withId.id
  const now = yield* DateTime.now
  const same = all.filter(({ name }) => name === text)
  const valid = same.filter((element) => !isExpired(element, now))
  const named = valid.length > 0 ? valid : same
  const [only] = named
  if (only !== undefined && named.length === 1) return only.id
  if (named.length > 1) {
    return yield* new AmbiguousName({
      message: [
        `${source}: ${named.length} ${wordsOf(noun).many} have the name "${text}". Give the id:`,
        ...candidates(named)
      ].join("\n")
    })
  }
  const near = nearestField(
    text,
    all.flatMap(({ name }) => name ?? [])
  )
  const meant = near === undefined ? "" : ` Did you mean "${escapeTerminalLine(near)}"?`
  return yield* new NameNotFound({
    message: `${source}: there is no ${wordsOf(noun).words} with the name "${text}".${meant} 'headgate ${noun} list' shows all.`
  })
})

/** The id of the element that a setting names, by default that of the only one there is. */
export const resolveSetting = Effect.fnUntraced(function* <Id extends string, E, R, R2>(
  noun: Noun<Id, E, R>,
  setting: Setting<string, R2>
) {
  const given = yield* setting.read
  if (Option.isSome(given)) return yield* resolveName(noun, given.value.value, given.value.source)
  const all = yield* noun.list
  const [only] = all
  if (only === undefined) return yield* new NameNotFound({ message: `there is no ${noun.noun} for this API key` })
  if (all.length === 1) return only.id
  return yield* new AmbiguousName({
    message: [`There are ${all.length} ${noun.noun}s: give ${setting.label}.`, ...candidates(all)].join("\n")
  })
})

/** An argument with the id or the name of something. */
export const nameArgument = (name: string, description: string) =>
  Argument.String(name).pipe(
    Argument.withDescription(description),
    Argument.mapEffect(
      validate(
        { kind: "argument", name },
        Schema.String.check(Schema.isNonEmpty({ message: "Expected an id or a name" }))
      )
    )
  )
