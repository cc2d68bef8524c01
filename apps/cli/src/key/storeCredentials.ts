import { readFailure } from "@headgate/command-line"
import type { makeCredentials } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Flag from "effect/cli/Flag"
import { dirname, join } from "node:path"
import { UsageError } from "../error/CommandError.ts"
import * as Output from "../output/Output.ts"
import { dryRun } from "../request/dryRun.ts"
import { type Profile, ProfileName, type StoredProfile } from "../settings/Profile.ts"
import { Profiles } from "../settings/Profiles.ts"
import * as Setting from "../settings/Setting.ts"
import { nodeFiles } from "../usage/platform.ts"

type Credentials = Pick<Effect.Success<typeof makeCredentials>, "keyId" | "keySecret">

/** `--store` and `--credentials-file` */
export const storeFlags = {
  store: Flag.Literals("store", ["stdout", "env-file", "profile"]).pipe(
    Flag.withDescription("Where the credentials go: stdout, --credentials-file or a profile"),
    Flag.optional
  ),
  // Not --env-file: Node reads that flag itself, also after the name of the script.
  credentialsFile: Flag.String("credentials-file").pipe(
    Flag.withMetavar("file"),
    Flag.withDescription(
      "New file for the credentials as variables, headgate.env by default; only its owner can read it"
    ),
    Flag.optional
  )
}

/** Where the credentials of a new key go, unless they are printed. */
export interface Place {
  /** What the user reads of it. */
  readonly label: string
  /** Where the credentials are until the key is there. */
  readonly pending: string
  /** Keeps the credentials before the hashes are sent: otherwise nobody has the secret of a key that exists. */
  readonly keep: (credentials: Credentials) => Effect.Effect<void, UsageError, FileSystem.FileSystem>
  /** Makes them the ones to use, once the key is there. */
  readonly use: (credentials: Credentials) => Effect.Effect<void, UsageError, FileSystem.FileSystem>
}

/** Writes the credentials as environment variables to a file that is not there yet. */
const writeEnvironment = Effect.fnUntraced(function* (file: string, { keyId, keySecret }: Credentials) {
  const files = yield* FileSystem.FileSystem
  const text = `HEADGATE_KEY_ID=${keyId}\nHEADGATE_KEY_SECRET=${Redacted.value(keySecret)}\n`
  yield* Effect.mapError(
    // An interrupt waits for the end of the write.
    Effect.uninterruptible(files.writeFileString(file, text, { flag: "wx", mode: 0o600 })),
    (error) => new UsageError({ message: `The credentials cannot be written to ${file}: ${readFailure(error)}.` })
  )
})

const inFile = (file: string): Place => ({
  label: `the file ${file}`,
  pending: `The file ${file}`,
  keep: (credentials) => writeEnvironment(file, credentials),
  use: () => Effect.void
})

/** A new profile with the URL, organization and service of this command. */
export const inNewProfile = Effect.fnUntraced(function* (name: string, connection: Profile) {
  const profiles = yield* Profiles
  const file = yield* profiles.userFile
  yield* Setting.decode(ProfileName, { value: name, source: "--name, which names the profile" })
  if (Object.hasOwn((yield* profiles.user).profiles, name)) {
    return yield* new UsageError({
      message: `There is a profile "${name}" in ${file} already: give another --name, or use --store env-file.`
    })
  }
  const place: Place = {
    label: `the profile "${name}" in ${file}`,
    pending: `The profile "${name}"`,
    keep: (credentials) =>
      profiles.save(name, { ...connection, ...credentials }, { inKeychain: false, isCurrent: false }),
    use: () => Effect.void
  }
  return place
})

/** A profile whose key is replaced. Its old key stays in it until the new one is there. */
export const inProfile = Effect.fnUntraced(function* ({ file, name, profile }: StoredProfile) {
  const profiles = yield* Profiles
  if (file !== (yield* profiles.userFile)) {
    return yield* new UsageError({
      message: `The profile in ${file} is that of the project, which headgate does not write: use --store env-file or --store stdout.`
    })
  }
  const pending = join(dirname(file), `${name}.rotated.env`)
  const place: Place = {
    label: `the profile "${name}" in ${file}`,
    pending: `The file ${pending}`,
    keep: (credentials) => writeEnvironment(pending, credentials),
    use: Effect.fnUntraced(function* (credentials) {
      const token = yield* profiles.secret({ file, name, profile }, "token")
      const changed = { ...profile, ...credentials, token: Option.getOrUndefined(token), keychain: undefined }
      yield* profiles.save(name, changed, { inKeychain: profile.keychain !== undefined, isCurrent: false })
      const files = yield* FileSystem.FileSystem
      yield* Effect.ignore(files.remove(pending))
    })
  }
  return place
})

/** The place that the flags name; `None` for stdout. `profile` makes that of `--store profile`, which may be the default. */
export const placeOf = Effect.fnUntraced(function* <E, R>(
  {
    credentialsFile,
    store
  }: { readonly credentialsFile: Option.Option<string>; readonly store: Option.Option<string> },
  profile: { readonly isDefault: boolean; readonly place: Effect.Effect<Place, E, R> }
) {
  const chosen = Option.getOrElse(store, () =>
    Option.isSome(credentialsFile) ? "env-file" : profile.isDefault ? "profile" : "stdout"
  )
  if (Option.isSome(credentialsFile) && chosen !== "env-file") {
    return yield* new UsageError({ message: `--credentials-file cannot be used with --store ${chosen}.` })
  }
  if (chosen === "stdout") return Option.none<Place>()
  return Option.some(
    chosen === "profile" ? yield* profile.place : inFile(Option.getOrElse(credentialsFile, () => "headgate.env"))
  )
})

/** Keeps credentials in their place while a key is created with their hashes. */
export const creatingIn = Effect.fnUntraced(function* <A, E, R>(
  place: Place,
  credentials: Credentials,
  create: Effect.Effect<A, E, R>
) {
  if (!(yield* dryRun)) yield* place.keep(credentials)
  const note = Output.note(
    `note: ${place.pending} holds credentials that may be of no key: see 'headgate key list' before you delete it.`
  )
  const created = yield* create.pipe(
    Effect.tapError(() => note),
    Effect.onInterrupt(() => note)
  )
  yield* place.use(credentials)
  yield* Output.note(`note: The credentials are in ${place.label}.`)
  return created
}, Effect.provide(nodeFiles))
