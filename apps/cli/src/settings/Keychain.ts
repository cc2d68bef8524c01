import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { createRequire } from "node:module"
import { UsageError } from "../error/CommandError.ts"
import type { SecretName } from "./Profile.ts"

const keyring = "@napi-rs/keyring"

// From this program, never from the working directory: a project must not choose the code that reads secrets.
const { resolve } = createRequire(import.meta.url)

/** Finds the file of the package that opens the keychain. It throws if the package is not installed. */
export const KeyringFile = Context.Reference<() => string>("headgate/settings/KeyringFile", {
  defaultValue: () => () => resolve(keyring)
})

// Runs in a process of its own: a keychain that waits for its user blocks the thread that calls it, and only a process
// can be ended then. Secrets pass through its pipes, where no list of processes shows them. Without `store`, Linux would
// silently fall back to the kernel's keyring, which a restart empties.
const script = `
const { file, operation, account, secret } = JSON.parse(require("node:fs").readFileSync(0, "utf8"))
const { Entry } = require(file)
const entry = new Entry("headgate", account, { linux: { store: "secret-service" } })
const operations = {
  get: () => entry.getPassword(),
  set: () => entry.setPassword(secret),
  remove: () => entry.deletePassword()
}
process.stdout.write(JSON.stringify(operations[operation]() ?? null))
`

const limitMillis = 2_000

type Operation = "get" | "set" | "remove"

// The first line of what the process printed about its error; a secret is never in it.
const reasonOf = (stderr: string): string => /^\w*Error: (.*)$/m.exec(stderr)?.[1] ?? "it failed"

const run = (
  { execFile }: typeof import("node:child_process"),
  file: string,
  operation: Operation,
  account: string,
  secret?: string
) =>
  Effect.callback<unknown, UsageError>((resume) => {
    const fail = (why: string) =>
      resume(Effect.fail(new UsageError({ message: `The keychain ${why}. \`--store file\` keeps secrets in a file.` })))
    const options = { timeout: limitMillis, killSignal: "SIGKILL" as const }
    const child = execFile(process.execPath, ["-e", script], options, (error, stdout, stderr) => {
      if (error === null) return resume(Effect.sync((): unknown => JSON.parse(stdout)))
      return fail(error.killed ? `did not answer within ${limitMillis / 1_000} s` : `refused: ${reasonOf(stderr)}`)
    })
    // A process that ends early closes its stdin: its exit code says why.
    child.stdin?.on("error", () => {}).end(JSON.stringify({ file, operation, account, secret }))
    return Effect.sync(() => void child.kill("SIGKILL"))
  })

const call = Effect.fnUntraced(function* (operation: Operation, account: string, secret?: string) {
  const keyringFile = yield* KeyringFile
  const file = yield* Effect.try({
    try: keyringFile,
    catch: () =>
      new UsageError({
        message: `The keychain needs the package ${keyring}, which is not installed beside headgate: run \`npm install --global ${keyring}\`, or use \`--store file\`.`
      })
  })
  const childProcess = yield* Effect.promise(() => import("node:child_process"))
  return yield* run(childProcess, file, operation, account, secret)
})

// One config file for each XDG_CONFIG_HOME: profiles of the same name must not share their secrets.
const accountOf = (file: string, profile: string, name: SecretName) => `${file}#${profile}#${name}`

/** Reads a secret of a profile. Fails if the keychain does not have it. */
export const read = Effect.fnUntraced(function* (file: string, profile: string, name: SecretName) {
  const secret = yield* call("get", accountOf(file, profile, name))
  return typeof secret === "string"
    ? Redacted.make(secret)
    : yield* new UsageError({
        message: `The keychain has no ${name} of the profile "${profile}": run 'headgate login --profile ${profile}'.`
      })
})

/** Stores a secret of a profile. */
export const write = (file: string, profile: string, name: SecretName, secret: Redacted.Redacted) =>
  call("set", accountOf(file, profile, name), Redacted.value(secret))

/** Removes a secret of a profile; no error if there is none. */
export const remove = (file: string, profile: string, name: SecretName) =>
  call("remove", accountOf(file, profile, name))
