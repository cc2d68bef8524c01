import type { FieldIssue } from "@headgate/core"
import type { CallFields } from "@headgate/core/adapter"
import { harmless } from "../output/harmless.ts"
import type { Style } from "../output/Style.ts"

/** What is known of a failure, whatever kind it is. Nothing in it is a secret. */
export interface Failure extends Partial<CallFields> {
  readonly _tag: string
  readonly message: string
  readonly issues?: ReadonlyArray<FieldIssue>
}

/** The error as one JSON object, for `--json`: what is not known is absent. */
export const toJson = (failure: Failure): string => {
  const { _tag: tag, message, status, requestId, method, path, attempts, issues } = failure
  return JSON.stringify({ error: { tag, message, status, requestId, method, path, attempts, issues } })
}

const requestLine = ({ attempts, method, path, status }: Failure): ReadonlyArray<string> => {
  if (method === undefined || path === undefined) return []
  const answer = status === undefined ? [] : [`HTTP ${status}`]
  const sent = attempts === undefined || attempts < 2 ? [] : [`sent ${attempts} times`]
  return [`  ${[`${method} ${path}`, ...answer, ...sent].join(", ")}`]
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The error in words: what happened, to which request, and what to do. */
export const toText = (failure: Failure, hint: string | undefined, style: Style): string =>
  [
    `${style.failure("error:")} ${capitalized(harmless(failure.message))}`,
    ...requestLine(failure).map(harmless),
    ...(failure.requestId === undefined ? [] : [`  request id ${harmless(failure.requestId)}`]),
    ...(hint === undefined ? [] : [`${style.strong("hint:")} ${hint}`])
  ].join("\n")
