import { escapeTerminal, jsonText, type Style, wrapLines } from "@headgate/command-line"
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

// A message may begin with the path of a field, which stays as it is.
const capitalized = (text: string): string => (/^\S+:/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1))

/** The error as text: what happened, for which request, and what to do. */
export const toText = (failure: Failure, hint: string | undefined, style: Style): string => {
  const wrapped = (text: string): string => wrapLines(text, style.width)
  const labelled = (label: string, shown: string, text: string): string =>
    shown + wrapped(`${label} ${text}`).slice(label.length)
  return [
    labelled("error:", style.failure("error:"), capitalized(escapeTerminal(failure.message))),
    ...requestLine(failure).map((line) => wrapped(escapeTerminal(line))),
    ...(failure.requestId === undefined ? [] : [`  request id ${escapeTerminal(failure.requestId)}`]),
    ...(hint === undefined ? [] : [labelled("hint:", style.strong("hint:"), hint)])
  ].join("\n")
}
