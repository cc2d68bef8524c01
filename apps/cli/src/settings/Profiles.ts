import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import type * as Redacted from "effect/Redacted"
import { dirname, join } from "node:path"
import { UsageError } from "../error/CommandError.ts"
import { nodeFiles } from "../usage/platform.ts"
import * as Keychain from "./Keychain.ts"
import { type Profile, type ProfileDocument, type SecretName, secretNames, type StoredProfile } from "./Profile.ts"
import * as ProfileFile from "./ProfileFile.ts"
import type { SettingValue } from "./Setting.ts"

/** The directory in which the search for the profile of a project begins. */
export const WorkingDirectory = Context.Reference<string>("headgate/settings/WorkingDirectory", {
  defaultValue: () => process.cwd()
})

/**
 * The profiles of the user and of the project. Files are read when a method runs, at most once for a command: help and
 * completions read none.
 */
export class Profiles extends Context.Service<
  Profiles,
  {
    /** The path of the user's `config.json`. */
    readonly userFile: Effect.Effect<string, UsageError>
    /** The content of that file, empty if there is none. */
    readonly user: Effect.Effect<ProfileDocument, UsageError>
    /** The current profile of the nearest `.headgate/config.json`, from the working directory upwards. */
    readonly project: Effect.Effect<Option.Option<StoredProfile>, UsageError>
    /** The profile of that name; without a name that of the project, else the user's current one. */
    readonly select: (
      name: Option.Option<SettingValue<string>>
    ) => Effect.Effect<Option.Option<StoredProfile>, UsageError>
    /** A secret of a profile, from its file or from the keychain. */
    readonly secret: (
      stored: StoredProfile,
      name: SecretName
    ) => Effect.Effect<Option.Option<Redacted.Redacted>, UsageError>
    /**
     * Writes a profile of the user. `inKeychain`: its secrets go there, not to the file. `isCurrent`: it becomes the current
     * one.
     */
    readonly save: (
      name: string,
      profile: Profile,
      options: { readonly inKeychain: boolean; readonly isCurrent: boolean }
    ) => Effect.Effect<void, UsageError>
    /** Makes a profile of the user the current one. */
    readonly use: (name: string) => Effect.Effect<void, UsageError>
    /** Removes a profile of the user, with its secrets in the keychain. */
    readonly remove: (name: string) => Effect.Effect<void, UsageError>
  }
>()("headgate/settings/Profiles") {}

// Not the home directory of the process: a command that runs without HOME has no profiles, like any other program.
const userFile = Config.NonEmptyString("XDG_CONFIG_HOME").pipe(
  Config.orElse(() => Config.map(Config.NonEmptyString("HOME"), (home) => join(home, ".config"))),
  Config.orElse(() => Config.map(Config.NonEmptyString("USERPROFILE"), (home) => join(home, ".config"))),
  Config.map((directory) => join(directory, "headgate", "config.json")),
  Effect.option
)

const noHome = new UsageError({ message: "There is no directory for profiles: set XDG_CONFIG_HOME or HOME." })

const ancestors = (directory: string): ReadonlyArray<string> => {
  const parent = dirname(directory)
  return parent === directory ? [directory] : [directory, ...ancestors(parent)]
}

const projectFile = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const candidates = ancestors(yield* WorkingDirectory).map((directory) => join(directory, ".headgate", "config.json"))
  return yield* Effect.findFirst(candidates, (file) => Effect.orElseSucceed(files.exists(file), () => false))
})

const find = (document: ProfileDocument, file: string, name: string): Option.Option<StoredProfile> =>
  Option.map(Record.get(document.profiles, name), (profile) => ({ name, file, profile }))

const unknown = (name: string, document: ProfileDocument, file: string) => {
  const names = Object.keys(document.profiles)
  const known = names.length === 0 ? "it has none" : `it has ${names.join(", ")}`
  return new UsageError({
    message: `There is no profile "${name}" in ${file}: ${known}. 'headgate login --profile ${name}' makes one.`
  })
}

const current = (document: ProfileDocument, file: string) => {
  const { current: name } = document
  if (name === undefined) return Effect.succeedNone
  const found = find(document, file, name)
  return Option.isSome(found) ? Effect.succeed(found) : Effect.fail(unknown(name, document, file))
}

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

const isLoopback = (url: string): boolean => URL.canParse(url) && loopback.test(new URL(url).hostname)

// The file may have come with the project's files: it must not send the credentials of its user anywhere.
const projectRefusal = ({ file, profile }: StoredProfile): string | undefined => {
  const { keychain, observabilityUrl, url } = profile
  const remote = [url, observabilityUrl].find((one) => one !== undefined && !isLoopback(one))
  if (remote !== undefined) {
    return `${file} was not used: the profile of a project may only have a loopback URL such as http://127.0.0.1:7420. Use 'headgate login' for any other.`
  }
  return keychain === undefined
    ? undefined
    : `${file} was not used: the profile of a project may not read the keychain.`
}

const readProject = Effect.gen(function* () {
  const file = yield* projectFile
  if (Option.isNone(file)) return Option.none()
  const document = yield* ProfileFile.read(file.value)
  const stored = Option.isNone(document) ? Option.none() : yield* current(document.value, file.value)
  const why = Option.isNone(stored) ? undefined : projectRefusal(stored.value)
  return why === undefined ? stored : yield* new UsageError({ message: why })
})

const empty: ProfileDocument = { profiles: {} }

const requiredFile = Effect.flatMap(
  userFile,
  Option.match({ onNone: () => Effect.fail(noHome), onSome: Effect.succeed })
)

const readUser = Effect.gen(function* () {
  const file = yield* userFile
  return Option.isNone(file) ? empty : Option.getOrElse(yield* ProfileFile.read(file.value), () => empty)
})

const withSecretsInKeychain = Effect.fnUntraced(function* (file: string, name: string, profile: Profile) {
  const { keySecret, token, ...rest } = profile
  if (keySecret !== undefined) yield* Keychain.write(file, name, "keySecret", keySecret)
  if (token !== undefined) yield* Keychain.write(file, name, "token", token)
  return { ...rest, keychain: secretNames.filter((secret) => profile[secret] !== undefined) }
})

const make = Effect.gen(function* () {
  const user = yield* Effect.cached(Effect.provide(readUser, nodeFiles))
  const project = yield* Effect.cached(Effect.provide(readProject, nodeFiles))

  // Reads the file again: another process may have changed it.
  const change = Effect.fnUntraced(function* <R>(
    to: (document: ProfileDocument, file: string) => Effect.Effect<ProfileDocument, UsageError, R>
  ) {
    const file = yield* requiredFile
    const document = Option.getOrElse(yield* ProfileFile.read(file), () => empty)
    yield* ProfileFile.write(file, yield* to(document, file))
  }, Effect.provide(nodeFiles))

  const removeSecrets = (file: string, name: string, secrets: ReadonlyArray<SecretName>) =>
    Effect.forEach(secrets, (secret) => Keychain.remove(file, name, secret), { discard: true })

  return Profiles.of({
    userFile: requiredFile,
    user,
    project,
    select: Effect.fnUntraced(function* (name) {
      if (Option.isNone(name)) {
        const ofProject = yield* project
        if (Option.isSome(ofProject)) return ofProject
        const document = yield* user
        return document.current === undefined ? Option.none() : yield* current(document, yield* requiredFile)
      }
      const file = yield* requiredFile
      const found = find(yield* user, file, name.value.value)
      if (Option.isSome(found)) return found
      const ofProject = Option.filter(yield* project, (stored) => stored.name === name.value.value)
      return Option.isSome(ofProject) ? ofProject : yield* unknown(name.value.value, yield* user, file)
    }),
    secret: ({ file, name, profile }, secret) =>
      profile.keychain?.includes(secret) === true
        ? Effect.asSome(Keychain.read(file, name, secret))
        : Effect.succeed(Option.fromUndefinedOr(profile[secret])),
    save: (name, profile, { inKeychain, isCurrent }) =>
      change(
        Effect.fnUntraced(function* (document, file) {
          const before = Option.flatMapNullishOr(find(document, file, name), (stored) => stored.profile.keychain)
          const saved = inKeychain ? yield* withSecretsInKeychain(file, name, profile) : profile
          const left = Option.getOrElse(before, () => []).filter((secret) => saved.keychain?.includes(secret) !== true)
          yield* removeSecrets(file, name, left)
          const profiles = { ...document.profiles, [name]: saved }
          return isCurrent ? { current: name, profiles } : { ...document, profiles }
        })
      ),
    use: (name) =>
      change((document, file) =>
        Option.isSome(find(document, file, name))
          ? Effect.succeed({ ...document, current: name })
          : Effect.fail(unknown(name, document, file))
      ),
    remove: (name) =>
      change(
        Effect.fnUntraced(function* (document, file) {
          const found = find(document, file, name)
          if (Option.isNone(found)) return yield* unknown(name, document, file)
          yield* removeSecrets(file, name, found.value.profile.keychain ?? [])
          const profiles = Record.remove(document.profiles, name)
          return document.current === name || document.current === undefined
            ? { profiles }
            : { current: document.current, profiles }
        })
      )
  })
})

/** The profiles in the files of this machine. */
export const layer = Layer.effect(Profiles, make)
