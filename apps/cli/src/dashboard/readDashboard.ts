import { DashboardCreate, fieldIssues, formatFieldIssues } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import * as Schema from "effect/Schema"
import { isFromStdin } from "../settings/secretOf.ts"
import { token } from "../settings/settings.ts"
import * as stdin from "../settings/stdin.ts"
import { DocumentError } from "../usage/DocumentError.ts"
import { UsageError } from "../usage/UsageError.ts"

const decode = Schema.decodeUnknownEffect(DashboardCreate, { errors: "all" })

const reasonOf = ({ message, reason }: PlatformError): string =>
  reason._tag === "NotFound"
    ? "there is no such file"
    : reason._tag === "PermissionDenied"
      ? "it may not be read"
      : message

const readText = Effect.fnUntraced(function* (file: string) {
  if (file !== "-") {
    const files = yield* FileSystem.FileSystem
    return yield* Effect.mapError(
      files.readFileString(file),
      (error) => new UsageError({ message: `--file ${file}: ${reasonOf(error)}.` })
    )
  }
  if (Option.exists(yield* token.read, isFromStdin)) {
    return yield* new UsageError({
      message: "--file - and --token - both want stdin: give the token in HEADGATE_TOKEN."
    })
  }
  return yield* stdin.everything("--file")
})

/** The dashboard that a file holds, `-` being stdin. What is wrong with it is said with line or path. */
export const readDashboard = Effect.fnUntraced(function* (file: string) {
  const text = yield* readText(file)
  const name = file === "-" ? "stdin" : file
  const document = yield* Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: (cause) => new DocumentError({ message: `${name} is not JSON: ${String(cause)}`, issues: [] })
  })
  return yield* Effect.mapError(decode(document), (error) => {
    const issues = fieldIssues(error)
    return new DocumentError({ message: `${name} is no dashboard: ${formatFieldIssues(issues)}`, issues })
  })
})
