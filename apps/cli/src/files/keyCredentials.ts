import { makeCredentials } from "@headgate/core"
import { hashCredential, keySuffix } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { UsageError } from "../error/CommandError.ts"
import { fileError, writeFile } from "../usage/writeFile.ts"

/** The credentials of a new key, as hashes. */
export type Credentials = Pick<Effect.Success<typeof makeCredentials>, "hashData">

const CredentialsFile = Schema.fromJsonString(Schema.Struct({ keyId: Schema.String, keySecret: Schema.String }))
const decode = Schema.decodeUnknownEffect(CredentialsFile)

const pathOf = Effect.fnUntraced(function* (directory: string, file: string) {
  return (yield* Path.Path).join(directory, file.replace(/\.key\.\w+$/, ".json"))
})

/** Fails before anything is sent if there is no place for the credentials of a new key, or another key has it. */
export const checkSecretsDirectory = Effect.fnUntraced(function* (
  directory: string | undefined,
  file: string,
  isBegun: boolean
) {
  if (directory === undefined) {
    return yield* new UsageError({
      message: `The key of ${file} is new, and its credentials need a place: give --secrets-dir <directory>.`
    })
  }
  const files = yield* FileSystem.FileSystem
  const path = yield* pathOf(directory, file)
  if (isBegun || !(yield* Effect.mapError(files.exists(path), fileError(path)))) return directory
  return yield* new UsageError({
    message: `The key of ${file} is new, but ${path} holds credentials: move them, or give another --secrets-dir.`
  })
})

/**
 * The credentials of a new key: they are made here and are in their file (0600) before the key is created, and only their
 * hashes are sent. So no crash loses them: the next run finds those of the creation that was begun.
 */
export const credentialsFor = Effect.fnUntraced(function* (directory: string, file: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* pathOf(directory, file)
  if (yield* Effect.mapError(files.exists(path), fileError(path))) {
    const text = yield* Effect.mapError(files.readFileString(path), fileError(path))
    const { keyId, keySecret } = yield* Effect.mapError(
      decode(text),
      () => new UsageError({ message: `The file ${path} does not hold the credentials of a key: move it.` })
    )
    const credentials: Credentials = {
      hashData: {
        keyIdHash: yield* hashCredential(keyId),
        keyIdSuffix: keySuffix(keyId),
        keySecretHash: yield* hashCredential(keySecret)
      }
    }
    return { path, credentials }
  }
  const { hashData, keyId, keySecret } = yield* makeCredentials
  yield* Effect.mapError(files.makeDirectory(directory, { recursive: true, mode: 0o700 }), fileError(directory))
  const document = { keyId, keySecret: Redacted.value(keySecret) }
  yield* writeFile(path, `${JSON.stringify(document, undefined, 2)}\n`, 0o600)
  const credentials: Credentials = { hashData }
  return { path, credentials }
})
