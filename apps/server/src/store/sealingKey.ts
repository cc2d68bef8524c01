import { SqlSealing } from "@headgate/sql-adapter"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { chmodSync, copyFileSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { StartupError, UsageError } from "../StartupError.ts"
import type { ChosenStore, StoreOptions } from "./chooseStore.ts"

/** Where the key of a SQLite database is, unless a file of its own is named. */
export const sealingKeyBeside = (filename: string): string => join(dirname(filename), "sealing.key")

/** Reads a sealing key from a file that `flag` names. */
export const readKeyFile = (flag: string, path: string) =>
  Effect.try({
    try: () => Redacted.make(readFileSync(path, "utf8")),
    catch: (cause) => new StartupError({ message: `${flag} ${path}: ${String(cause)}` })
  })

/** Replaces the key beside a SQLite database. Returns the file in which the key before is kept; `previous` is its fingerprint. */
export const replaceKeyBeside = (filename: string, key: Redacted.Redacted, previous: string) =>
  Effect.try({
    try: () => {
      const file = sealingKeyBeside(filename)
      const kept = `${file}.${previous.replaceAll(/[^\w-]/g, "_")}`
      copyFileSync(file, kept)
      chmodSync(kept, 0o600)
      writeFileSync(`${file}.new`, Redacted.value(key), { mode: 0o600, flush: true })
      renameSync(`${file}.new`, file)
      return kept
    },
    catch: (cause) =>
      new StartupError({
        message: `the store has the new key, but put it beside ${filename} yourself: ${String(cause)}`
      })
  })

const environmentKey = Config.Redacted("HEADGATE_SEALING_KEY").pipe(
  Effect.filterOrFail((key) => Redacted.value(key) !== ""),
  Effect.mapError(
    () =>
      new UsageError({
        message:
          "Postgres wants --sealing-key-file or HEADGATE_SEALING_KEY, the same for all servers of the database: " +
          "make one with `openssl rand -base64 32`"
      })
  )
)

/**
 * The key that the secrets of a store are sealed with: of the flag; else, for Postgres, of the environment; else, for
 * SQLite, in `sealing.key` beside the database. None is ever made for Postgres: each server would make its own.
 */
export const chooseSealing = Effect.fnUntraced(function* ({ sealingKeyFile }: StoreOptions, store: ChosenStore) {
  if (Option.isSome(sealingKeyFile)) {
    return SqlSealing.layer(yield* readKeyFile("--sealing-key-file", sealingKeyFile.value))
  }
  return store._tag === "Sqlite" ? SqlSealing.layerBeside(store.filename) : SqlSealing.layer(yield* environmentKey)
})
