import { fieldIssues, formatFieldIssues, UnexpectedResponse } from "@headgate/core"
import { isTooDeep } from "@headgate/core/adapter"
import { type AnyOperation, type ApiName, successDecoder } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { ambiguityNote, type Answer, type Call, errorContext } from "./Attempt.ts"
import type { Connection } from "./connect.ts"
import { readErrorAnswer, reportsFailure } from "./ErrorAnswer.ts"
import { ReceivedElements } from "./ReceivedElements.ts"

// Far deeper than any document. Deep JSON takes 200 times its size in memory.
const maxDepth = 500

const parseJson: (text: string) => Option.Option<unknown> = Option.liftThrowable(JSON.parse)

const maxIssuesShown = 10

// An answer may have thousands of issues: the first ones show what is wrong.
const formatIssues = (error: Schema.SchemaError): string => {
  const issues = fieldIssues(error)
  const shown = formatFieldIssues(issues.slice(0, maxIssuesShown))
  return issues.length > maxIssuesShown ? `${shown}; and ${issues.length - maxIssuesShown} more` : shown
}

/** Decodes the body of a success to the content of its envelope. */
export type ContentDecoder<Content> = (body: unknown, call: Call) => Effect.Effect<Content, Schema.SchemaError>

/** The schema of the elements of a list; `undefined` for a result that is no list. */
export const elementOf = ({ ast }: AnyOperation["success"]): Schema.Codec<unknown> | undefined => {
  const [element] = SchemaAST.isArrays(ast) ? ast.rest : []
  return element && Schema.make<Schema.Codec<unknown>>(element)
}

const contentFields: { readonly [Api in ApiName]: string } = { management: "result", observability: "data" }

/** The path of an issue in an element of a list, and its message. */
const formatElementIssues = (list: string, index: number, error: Schema.SchemaError): string => {
  const element = `${list}[${index}]`
  return formatFieldIssues(
    fieldIssues(error).map(({ message, path }) => ({ message, path: path === "" ? element : `${element}.${path}` }))
  )
}

/**
 * Decodes a list element by element. With `onUnreadable: "warn"`, an element that does not decode is left out, and one
 * warning says how many these are.
 */
export const listDecoder = (
  { observer, onUnreadable }: Connection,
  { api }: Pick<AnyOperation, "api">,
  element: Schema.Codec<unknown>
): ContentDecoder<ReadonlyArray<unknown>> => {
  const decodeList = successDecoder({ api, success: Schema.Array(element) })
  const decodeElements = successDecoder({ api, success: Schema.Array(Schema.Unknown) })
  const decodeElement = Schema.decodeUnknownResult(element)
  return Effect.fnUntraced(function* (body, { path, request }) {
    const elements = yield* decodeElements(body)
    const received = yield* ReceivedElements
    if (received !== undefined) MutableRef.set(received, elements)
    if (onUnreadable === "fail") return yield* decodeList(body)
    const readable: Array<unknown> = []
    let first: string | undefined
    for (const [index, element] of elements.entries()) {
      const decoded = decodeElement(element)
      if (Result.isSuccess(decoded)) readable.push(decoded.success)
      else first ??= formatElementIssues(contentFields[api], index, decoded.failure)
    }
    if (first !== undefined) {
      const count = `${elements.length - readable.length} of ${elements.length} elements`
      yield* observer.warn(`${request.method} ${path}: left out ${count}, which cannot be read: ${first}`)
    }
    return readable
  })
}

/** Decodes the answer of an operation. No error shows a value of the answer, since it may be a secret. */
export const decodeAnswer = <Content>({ redact }: Connection, decode: ContentDecoder<Content>) => {
  const unexpected = (call: Call, answer: Answer, what: string): UnexpectedResponse => {
    const { requestId } = readErrorAnswer(answer, redact)
    return new UnexpectedResponse({
      message: `the service answers with something else than the contract describes: ${what}${ambiguityNote(call)}`,
      status: answer.status,
      ...(requestId === undefined ? {} : { requestId }),
      ...errorContext(call)
    })
  }
  return Effect.fnUntraced(function* (call: Call, answer: Answer) {
    if (isTooDeep(answer.body, maxDepth)) {
      return yield* unexpected(call, answer, `Expected JSON nested at most ${maxDepth} levels deep`)
    }
    const json = parseJson(answer.body)
    if (Option.isNone(json)) return yield* unexpected(call, answer, "Expected a valid JSON string")
    const content = yield* Effect.mapError(decode(json.value, call), (error) =>
      unexpected(call, answer, formatIssues(error))
    )
    return reportsFailure(json.value)
      ? yield* unexpected(call, answer, "its own status says that it is no success")
      : content
  })
}
