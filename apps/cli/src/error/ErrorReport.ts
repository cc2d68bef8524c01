import { escapeTerminal, jsonText, type Style } from "@headgate/command-line"
import type { FieldIssue } from "@headgate/core"
import type { CallFields } from "@headgate/core/adapter"

/** The fields that are reported of any error. None is a secret. */
export interface Failure extends Partial<CallFields> {
  readonly _tag: string
  readonly message: string
  readonly issues?: ReadonlyArray<FieldIssue>
}

/** The error as one JSON object, for `--json`. */
export const toJson = (failure: Failure): string => {
  const { _tag: tag, message, status, requestId, method, path, attempts, issues } = failure
  return jsonText({ error: { tag, message, status, requestId, method, path, attempts, issues } })
}

const requestLine = ({ attempts, method, path, status }: Failure): ReadonlyArray<string> => {
  if (method === undefined || path === undefined) return []
  const response = status === undefined ? [] : [`HTTP ${status}`]
  const tried = attempts === undefined || attempts < 2 ? [] : [`tried ${attempts} times`]
  return [`  ${[`${method} ${path}`, ...response, ...tried].join(", ")}`]
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The error as text: what happened, for which request, and what to do. */
export const toText = (failure: Failure, hint: string | undefined, style: Style): string =>
  [
    `${style.failure("error:")} ${capitalized(escapeTerminal(failure.message))}`,
    ...requestLine(failure).map(escapeTerminal),
    ...(failure.requestId === undefined ? [] : [`  request id ${escapeTerminal(failure.requestId)}`]),
    ...(hint === undefined ? [] : [`${style.strong("hint:")} ${hint}`])
  ].join("\n")
