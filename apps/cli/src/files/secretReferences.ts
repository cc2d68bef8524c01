import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import { problemsError } from "../error/CommandError.ts"
import { fieldAt, isMembers, type Members, withFieldAt } from "./members.ts"
import { secretsIn } from "./pipeSecrets.ts"
import { keySecret, token } from "../settings/settings.ts"
import { fileError } from "../usage/writeFile.ts"

const maxBytes = 64 * 1024

/**
 * `${env:NAME}` or `${file:path}`, anywhere in a text. Another word before the colon is a mistake. One that does not end is text; it is
 * read to the end, or each begin in it would be another search.
 */
const reference = /\$\{(\w+):([^}]*)(\}|$)/g

// The author of a file decides where its pipe connects to, and may be another than the user.
const ownCredentials: ReadonlyArray<string> = [keySecret.variable, token.variable]

const fromEnvironment = (name: string) =>
  ownCredentials.includes(name)
    ? Effect.fail(`${name} is a credential of headgate itself, which is given to no pipe`)
    : Effect.mapError(Config.String(name), () => `the environment variable ${name} is not set`)

const fromFile = Effect.fnUntraced(function* (directory: string, name: string) {
  const files = yield* FileSystem.FileSystem
  const path = (yield* Path.Path).resolve(directory, name)
  const { size, type } = yield* Effect.mapError(files.stat(path), (error) => fileError(path)(error).message)
  if (type !== "File") return yield* Effect.fail(`${path} is not a file`)
  if (Number(size) > maxBytes) return yield* Effect.fail(`${path} is larger than ${maxBytes} bytes`)
  const text = yield* Effect.mapError(files.readFileString(path), (error) => fileError(path)(error).message)
  // An editor ends a file with a line break.
  return text.replace(/\r?\n$/, "")
})

const resolveOne = (directory: string, kind: string, name: string) => {
  if (kind === "env") return fromEnvironment(name)
  if (kind === "file") return fromFile(directory, name)
  return Effect.fail(`Expected \${env:NAME} or \${file:path}, not \${${kind}:...}`)
}

const resolveText = Effect.fnUntraced(function* (directory: string, text: string) {
  let resolved = ""
  let end = 0
  for (const { 0: whole, 1: kind = "", 2: name = "", 3: closed, index } of text.matchAll(reference)) {
    if (closed === "") break
    resolved += text.slice(end, index) + (yield* resolveOne(directory, kind, name))
    end = index + whole.length
  }
  return resolved + text.slice(end)
})

interface Resolved {
  readonly value: unknown
  readonly problems: ReadonlyArray<string>
}

/** Resolves every text of a secret, which may be an object. */
const resolveValue = Effect.fnUntraced(function* (
  directory: string,
  path: string,
  value: unknown
): Effect.fn.Return<Resolved, never, FileSystem.FileSystem | Path.Path> {
  if (typeof value === "string") {
    return yield* Effect.match(resolveText(directory, value), {
      onFailure: (problem): Resolved => ({ value, problems: [`${path}: ${problem}`] }),
      onSuccess: (value): Resolved => ({ value, problems: [] })
    })
  }
  if (!isMembers(value)) return { value, problems: [] }
  const fields = yield* Effect.forEach(Object.entries(value), ([name, field]) =>
    Effect.map(resolveValue(directory, `${path}.${name}`, field), (resolved) => ({ name, ...resolved }))
  )
  return {
    value: Object.fromEntries(fields.map(({ name, value }) => [name, value])),
    problems: fields.flatMap(({ problems }) => problems)
  }
})

/**
 * A request with its secrets in place of their references. Only credential fields of the source are read; elsewhere
 * `${env:NAME}` is text. The error names each field whose variable or file is missing.
 */
export const resolveSecrets = Effect.fnUntraced(function* (directory: string, file: string, request: Members) {
  const { source } = request
  if (!isMembers(source)) return request
  const resolved = yield* Effect.forEach(secretsIn(source), (path) =>
    Effect.map(resolveValue(directory, `source.${path}`, fieldAt(source, path)), (secret) => ({ path, ...secret }))
  )
  const problems = resolved.flatMap(({ problems }) => problems)
  if (problems.length > 0) {
    return yield* problemsError(`A secret of ${file} cannot be read`, problems)
  }
  return {
    ...request,
    source: resolved.reduce<Members>((source, { path, value }) => withFieldAt(source, path, value), source)
  }
})
