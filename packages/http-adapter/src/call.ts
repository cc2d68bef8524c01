import {
  type AlertId,
  AlertNotFound,
  type ApiKeyAddress,
  type CallError,
  type ConnectionId,
  ConnectionNotFound,
  type DashboardId,
  DashboardNotFound,
  fieldIssues,
  formatFieldIssues,
  IfMatch,
  type OrganizationId,
  OrganizationNotFound,
  KeyNotFound,
  type PipeAddress,
  PipeNotFound,
  type ReversePrivateEndpointAddress,
  ReversePrivateEndpointNotFound,
  type RoleAddress,
  RoleNotFound,
  type SavedSearchId,
  SavedSearchNotFound,
  type ServiceAddress,
  ServiceNotFound,
  type SourceId,
  SourceNotFound,
  UnexpectedResponse,
  type WebhookId,
  WebhookNotFound
} from "@headgate/core"
import {
  alertNotFound,
  type CallFields,
  connectionNotFound,
  dashboardNotFound,
  invalidRequest,
  isTooDeep,
  jsonIssues,
  keyNotFound,
  looseStruct,
  type NotFound,
  endpointNotFound,
  organizationNotFound,
  pipeNotFound,
  roleNotFound,
  savedSearchNotFound,
  serviceNotFound,
  sourceNotFound,
  webhookNotFound,
  withVersion
} from "@headgate/core/adapter"
import {
  type ApiName,
  isChange,
  isCreation,
  isOfVersioned,
  type Operation,
  successDecoder
} from "@headgate/http-contract"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { ambiguityNote, type Answer, type Call, errorContext } from "./Attempt.ts"
import { CallOptions, noCallOptions, overridePolicy, type RequestPolicy, validateCallOptions } from "./CallOptions.ts"
import type { Connection } from "./Connection.ts"
import { readErrorAnswer, reportsFailure } from "./ErrorAnswer.ts"
import { ReceivedElements } from "./ReceivedElements.ts"
import { ReceivedResponse } from "./ReceivedResponse.ts"
import { IdempotencyKey } from "./layers/IdempotencyKey.ts"
import { elapsed } from "./layers/Timeouts.ts"

const everyIssue = { errors: "all" } as const
// Far deeper than any document. Deep JSON takes 200 times its size in memory.
const maxDepth = 500

const parseJson: (text: string) => Option.Option<unknown> = Option.liftThrowable(JSON.parse)

/** Fills the parameters into a path of the contract: `/v1/organizations/:organizationId/keys`. */
const pathWith = (path: string) => {
  const [start = "", ...parts] = path.split(/:(\w+)/)
  return (params: Readonly<Record<string, string>>): string => {
    let filled = start
    for (let i = 0; i < parts.length; i += 2) {
      filled += encodeURIComponent(params[parts[i] ?? ""] ?? "") + (parts[i + 1] ?? "")
    }
    return filled
  }
}

/** The version of a resource in the `ETag` of its answer; `undefined` if the service tells none. */
const versionIn = ({ headers }: Answer): number | undefined => {
  const [, version] = /^"([1-9]\d{0,14})"$/.exec(headers["etag"] ?? "") ?? []
  return version === undefined ? undefined : Number(version)
}

/** Adds the version of the answer to the resource that was read from it. */
const withVersionIn = <Content>({ tellsVersions }: Connection, answer: Answer, content: Content): Content => {
  const version = versionIn(answer)
  if (version === undefined || !Predicate.isObject(content)) return content
  MutableRef.set(tellsVersions, true)
  return withVersion(content, version)
}

const withoutVersions = () =>
  invalidRequest(
    [{ path: "ifMatch", message: "Expected none: the service tells no versions, and would change any of them" }],
    { attempts: 0 }
  )

/** How many segments the path of the resource has that an operation changes: those of `/pipes/:id` in `/pipes/:id/state`. */
const resourceDepth = (path: string): number => path.split("/").findLastIndex((segment) => segment.startsWith(":")) + 1

/**
 * Makes the request of a change conditional. A service that tells no versions would ignore the condition: unless an answer
 * has told one, the resource is asked for its version first.
 */
const withIfMatch = (connection: Connection, route: string) => {
  const depth = resourceDepth(route)
  return Effect.fnUntraced(function* (call: Call, version: number) {
    if (!connection.tellsVersions.current) {
      const path = call.request.url.split("/").slice(0, depth).join("/")
      const request = HttpClientRequest.make("HEAD")(path, { acceptJson: true })
      const answer = yield* connection.send({ ...call, request, isRepeatable: true })
      if (versionIn(answer) === undefined) return yield* withoutVersions()
      MutableRef.set(connection.tellsVersions, true)
    }
    const conditional: Call = {
      ...call,
      request: HttpClientRequest.setHeader(call.request, "if-match", `"${version}"`),
      // A repeat of a change that took effect would find another version.
      isRepeatable: false,
      requestPolicy: { ...call.requestPolicy, retryCreates: false },
      attempts: MutableRef.make(0)
    }
    return conditional
  })
}

/** How the requests of an operation are written. */
export interface RequestSettings {
  /** The only fields that are sent when they are null, for a service that refuses null in any other. */
  readonly nullable?: ReadonlyArray<string>
}

const withoutNulls = (nullable: ReadonlyArray<string>) => (name: string, value: unknown) =>
  value === null && !nullable.includes(name) ? undefined : value

/** Makes the requests of an operation; what all of them share is made once. */
const requestOf = <Params, Payload>(
  {
    method,
    params,
    path,
    payload
  }: Pick<Operation<Params, Payload, unknown>, "method" | "params" | "path" | "payload">,
  { nullable }: RequestSettings
) => {
  const encodeParams = Schema.encodeUnknownEffect(params, everyIssue)
  const encodePayload = Schema.encodeUnknownEffect(payload, everyIssue)
  const blank = HttpClientRequest.make(method)("", { acceptJson: true })
  const fill = pathWith(path)
  const replacer = nullable && withoutNulls(nullable)
  return Effect.fnUntraced(
    function* (params: unknown, payload: unknown) {
      const request = HttpClientRequest.setUrl(blank, fill(yield* encodeParams(params)))
      const body = yield* encodePayload(payload)
      if (body === undefined) return request
      const issues = jsonIssues(body)
      return issues.length === 0
        ? HttpClientRequest.bodyText(request, JSON.stringify(body, replacer), "application/json")
        : yield* invalidRequest(issues, { attempts: 0 })
    },
    Effect.catchTag("SchemaError", (error) => invalidRequest(fieldIssues(error), { attempts: 0 }))
  )
}

const policyOf = ({ requestPolicy }: Connection) =>
  Effect.contextWith((context: Context.Context<never>) => {
    const options = Context.get(context, CallOptions)
    return options === noCallOptions
      ? Effect.succeed(requestPolicy)
      : Effect.map(validateCallOptions(options), (options) => overridePolicy(requestPolicy, options))
  })

const deadlineOf = ({ deadline }: RequestPolicy): Effect.Effect<number> =>
  Duration.isFinite(deadline)
    ? Effect.map(elapsed, (now) => now + Duration.toMillis(deadline))
    : Effect.succeed(Number.POSITIVE_INFINITY)

const maxIssuesShown = 10

// An answer may have thousands of issues: the first ones show what is wrong.
const formatIssues = (error: Schema.SchemaError): string => {
  const issues = fieldIssues(error)
  const shown = formatFieldIssues(issues.slice(0, maxIssuesShown))
  return issues.length > maxIssuesShown ? `${shown}; and ${issues.length - maxIssuesShown} more` : shown
}

/** Decodes the body of a success to the content of its envelope. */
type ContentDecoder<Content> = (body: unknown, call: Call) => Effect.Effect<Content, Schema.SchemaError>

/** The row of an operation that returns a list. */
export type ListOperation<Params, Payload, Item, Missing extends NotFound["_tag"]> = Operation<
  Params,
  Payload,
  ReadonlyArray<Item>,
  Missing
> & { readonly success: { readonly value: Schema.ConstraintDecoder<Item> } }

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
const listDecoder = <Item>(
  { onUnreadable }: Connection,
  { api, success }: Pick<ListOperation<never, never, Item, never>, "api" | "success">
): ContentDecoder<ReadonlyArray<Item>> => {
  const decodeList = successDecoder({ api, success })
  const decodeElements = successDecoder({ api, success: Schema.Array(Schema.Unknown) })
  const decodeElement = Schema.decodeUnknownResult(success.value)
  return Effect.fnUntraced(function* (body, { path, request }) {
    const elements = yield* decodeElements(body)
    const received = yield* ReceivedElements
    if (received !== undefined) MutableRef.set(received, elements)
    if (onUnreadable === "fail") return yield* decodeList(body)
    const readable: Array<Item> = []
    let first: string | undefined
    for (const [index, element] of elements.entries()) {
      const decoded = decodeElement(element)
      if (Result.isSuccess(decoded)) readable.push(decoded.success)
      else first ??= formatElementIssues(contentFields[api], index, decoded.failure)
    }
    if (first !== undefined) {
      const count = `${elements.length - readable.length} of ${elements.length} elements`
      yield* Effect.logWarning(`${request.method} ${path}: left out ${count}, which cannot be read: ${first}`)
    }
    return readable
  })
}

/** Decodes the answer of an operation. No error shows a value of the answer, since it may be a secret. */
const contentOf = <Content>({ redact }: Connection, decode: ContentDecoder<Content>) => {
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

/** The fields of a "not found" error; its message begins with this summary. */
type FieldsWith = (summary: string) => CallFields

/** The parameters that each "not found" error is made from. */
interface NotFoundParams {
  readonly ReversePrivateEndpointNotFound: ReversePrivateEndpointAddress
  readonly OrganizationNotFound: { readonly organizationId: OrganizationId }
  readonly ServiceNotFound: ServiceAddress
  readonly PipeNotFound: PipeAddress
  readonly DashboardNotFound: { readonly dashboardId: DashboardId }
  readonly ConnectionNotFound: { readonly connectionId: ConnectionId }
  readonly SourceNotFound: { readonly sourceId: SourceId }
  readonly SavedSearchNotFound: { readonly savedSearchId: SavedSearchId }
  readonly WebhookNotFound: { readonly webhookId: WebhookId }
  readonly AlertNotFound: { readonly alertId: AlertId }
  readonly KeyNotFound: ApiKeyAddress
  readonly RoleNotFound: RoleAddress
}
/** The tags of the errors that a 404 may mean. */
export type Missable = keyof NotFoundParams
/** The error that a 404 is, by its tag. */
export type NotFoundOf<Missing extends Missable> = Extract<NotFound, { readonly _tag: Missing }>

/** What a 404 means, by the `notFound` of the operation. */
const notFoundErrors: {
  readonly [Missing in Missable]: (params: NotFoundParams[Missing], fieldsWith: FieldsWith) => NotFoundOf<Missing>
} = {
  OrganizationNotFound: ({ organizationId }, fieldsWith) =>
    new OrganizationNotFound({ ...fieldsWith(organizationNotFound(organizationId).message), organizationId }),
  ReversePrivateEndpointNotFound: (address, fieldsWith) =>
    new ReversePrivateEndpointNotFound({ ...fieldsWith(endpointNotFound(address).message), address }),
  ServiceNotFound: (address, fieldsWith) =>
    new ServiceNotFound({ ...fieldsWith(serviceNotFound(address).message), address }),
  PipeNotFound: (address, fieldsWith) => new PipeNotFound({ ...fieldsWith(pipeNotFound(address).message), address }),
  DashboardNotFound: ({ dashboardId }, fieldsWith) =>
    new DashboardNotFound({ ...fieldsWith(dashboardNotFound(dashboardId).message), dashboardId }),
  ConnectionNotFound: ({ connectionId }, fieldsWith) =>
    new ConnectionNotFound({ ...fieldsWith(connectionNotFound(connectionId).message), connectionId }),
  SourceNotFound: ({ sourceId }, fieldsWith) =>
    new SourceNotFound({ ...fieldsWith(sourceNotFound(sourceId).message), sourceId }),
  SavedSearchNotFound: ({ savedSearchId }, fieldsWith) =>
    new SavedSearchNotFound({ ...fieldsWith(savedSearchNotFound(savedSearchId).message), savedSearchId }),
  WebhookNotFound: ({ webhookId }, fieldsWith) =>
    new WebhookNotFound({ ...fieldsWith(webhookNotFound(webhookId).message), webhookId }),
  AlertNotFound: ({ alertId }, fieldsWith) =>
    new AlertNotFound({ ...fieldsWith(alertNotFound(alertId).message), alertId }),
  KeyNotFound: ({ keyId, organizationId }, fieldsWith) =>
    new KeyNotFound({ ...fieldsWith(keyNotFound(organizationId, keyId).message), organizationId, keyId }),
  RoleNotFound: ({ organizationId, roleId }, fieldsWith) =>
    new RoleNotFound({ ...fieldsWith(roleNotFound(organizationId, roleId).message), organizationId, roleId })
}

// The first attempt of a retried delete may have deleted it.
const deletedNote = ({ attempts = 0, method }: CallError): string =>
  method === "DELETE" && attempts > 1 ? "; an earlier attempt, whose answer was lost, may have deleted it" : ""

// The message of the service stays, unless it says the same: a 404 may also come from a wrong base URL.
const fieldsOf =
  (error: CallError): FieldsWith =>
  (summary) => ({
    ...Struct.pick(error, ["status", "requestId", "method", "path", "attempts"]),
    message: `${summary}${error.message.endsWith(`: ${summary}`) ? "" : ` (${error.message})`}${deletedNote(error)}`
  })

const orNotFound =
  <Missing extends Missable>(missing: Missing | undefined, params: NotFoundParams[Missing]) =>
  (error: CallError): CallError | NotFoundOf<Missing> =>
    missing !== undefined && error._tag === "UnexpectedResponse" && error.status === 404
      ? notFoundErrors[missing](params, fieldsOf(error))
      : error

/** The parameters of an operation: those of its "not found" error, if it has one. */
export type ParamsFor<Missing extends Missable> = [Missing] extends [never] ? unknown : NotFoundParams[Missing]

/** The payload, where the operation has one. */
type PayloadArgument<Payload> = [Payload] extends [undefined] ? [payload?: undefined] : [payload: Payload]

/** The parameter of the query for the page of a list. */
type PageParameter = readonly [name: "offset" | "cursor", value: string]

/** The parameter of the next page of a list. `deadlineAt` is that of the whole list. */
const NextPage = Context.Reference<{ readonly parameter: PageParameter; readonly deadlineAt: number } | undefined>(
  "@headgate/http-adapter/NextPage",
  { defaultValue: () => undefined }
)

const method = <Params extends ParamsFor<Missing>, Payload, Content, Missing extends Missable>(
  connection: Connection,
  operation: Operation<Params, Payload, unknown, Missing>,
  name: string,
  decodeContent: ContentDecoder<Content>,
  settings: RequestSettings = {}
) => {
  const encodeRequest = requestOf(operation, settings)
  const isCreated = isCreation(operation)
  const isConditional = isChange(operation) && isOfVersioned(operation)
  const conditional = withIfMatch(connection, operation.path)
  const policy = policyOf(connection)
  const decodeAnswer = contentOf(connection, decodeContent)

  return Effect.fn(name)(function* (params: Params, ...[payload]: PayloadArgument<Payload>) {
    const page = yield* NextPage
    const first = yield* encodeRequest(params, payload)
    const encoded = page === undefined ? first : HttpClientRequest.setUrlParam(first, ...page.parameter)
    const request = isCreated
      ? HttpClientRequest.setHeader(
          encoded,
          "idempotency-key",
          (yield* IdempotencyKey) ?? (yield* connection.makeIdempotencyKey)
        )
      : encoded
    const requestPolicy = yield* policy
    const call: Call = {
      request,
      api: operation.api,
      route: operation.path,
      path: connection.basePath + request.url,
      isRepeatable: operation.isRepeatable,
      hasIdempotencyKey: isCreated,
      requestPolicy,
      deadlineAt: page?.deadlineAt ?? (yield* deadlineOf(requestPolicy)),
      attempts: MutableRef.make(0)
    }
    // The compiler does not see that `ParamsFor` holds where `notFound` is defined.
    const toNotFound = orNotFound(operation.notFound, params as NotFoundParams[Missing])
    const version = isConditional ? yield* IfMatch : undefined
    const sent = version === undefined ? call : yield* Effect.mapError(conditional(call, version), toNotFound)
    const answer = yield* Effect.mapError(connection.send(sent), toNotFound)
    const received = yield* ReceivedResponse
    if (received !== undefined) MutableRef.set(received, { status: answer.status, headers: answer.headers })
    return withVersionIn(connection, answer, yield* decodeAnswer(sent, answer))
  })
}

/**
 * The port method of an operation over a connection; `name` names its span. A request that does not encode is not sent:
 * it fails with an `InvalidRequest` that names each bad field. An answer that does not decode is an `UnexpectedResponse`.
 * A 404 is the `notFound` error of the operation. The result is the content of the envelope, with the version that the `ETag`
 * tells. A change sends `IfMatch`; it fails with `InvalidRequest` before it is sent if the service tells no versions.
 */
export const call = <Params extends ParamsFor<Missing>, Payload, Content, Missing extends Missable = never>(
  connection: Connection,
  operation: Operation<Params, Payload, Content, Missing>,
  name: string,
  settings?: RequestSettings
) => method(connection, operation, name, successDecoder(operation), settings)

// 100,000 elements in the largest pages: a service that promises more and more is not followed for ever.
const maxPages = 100

const decodePage = Schema.decodeUnknownOption(
  looseStruct({ data: Schema.Array(Schema.Unknown), meta: looseStruct({ total: Schema.Int }) })
)

const decodeCursorPage = Schema.decodeUnknownOption(looseStruct({ nextCursor: Schema.NonEmptyString }))

/** The parameter of the page after an answer, if the answer tells that there is one. */
type FindNextPage = (body: unknown, parameter: PageParameter | undefined) => PageParameter | undefined

const nextOffset: FindNextPage = (body, parameter) => {
  const page = Option.getOrUndefined(decodePage(body))
  const offset = Number(parameter?.[1] ?? 0) + (page?.data.length ?? 0)
  return page === undefined || page.data.length === 0 || offset >= page.meta.total ? undefined : ["offset", `${offset}`]
}

const nextCursor: FindNextPage = (body) => {
  const page = Option.getOrUndefined(decodeCursorPage(body))
  return page === undefined ? undefined : ["cursor", page.nextCursor]
}

/** A page of a list, the call that it answers, and the body of the answer. */
interface Page<Item> {
  readonly items: ReadonlyArray<Item>
  readonly call: Call
  readonly body: unknown
}

/** A list that comes in pages. A service that does not tell that there are more has sent all of it. */
const pagedList = <Params extends ParamsFor<Missing>, Payload, Item, Missing extends Missable>(
  connection: Connection,
  operation: ListOperation<Params, Payload, Item, Missing>,
  name: string,
  findNext: FindNextPage
) => {
  const decode = listDecoder(connection, operation)
  const page = method(connection, operation, name, (body, call) =>
    Effect.map(decode(body, call), (items): Page<Item> => ({ items, call, body }))
  )
  return Effect.fnUntraced(function* (params: Params, ...payload: PayloadArgument<Payload>) {
    const received = yield* ReceivedElements
    const all: Array<Item> = []
    const elements: Array<unknown> = []
    let next: typeof NextPage.Service = undefined
    for (let pages = 1; ; pages++) {
      const { body, call, items }: Page<Item> = yield* Effect.provideService(page(params, ...payload), NextPage, next)
      for (const item of items) all.push(item)
      if (received !== undefined) {
        for (const element of MutableRef.get(received)) elements.push(element)
        MutableRef.set(received, elements)
      }
      const parameter = findNext(body, next?.parameter)
      if (parameter === undefined) return all
      if (pages === maxPages) {
        const message = `the list is longer than ${maxPages} pages: its last answer had a next one`
        return yield* new UnexpectedResponse({ message, ...errorContext(call) })
      }
      next = { parameter, deadlineAt: call.deadlineAt }
    }
  })
}

/**
 * {@link call} for an operation that returns a list: what an element that does not decode does, `onUnreadable` says. A list that
 * comes in pages is read to its end.
 */
export const callList = <Params extends ParamsFor<Missing>, Payload, Item, Missing extends Missable = never>(
  connection: Connection,
  operation: ListOperation<Params, Payload, Item, Missing>,
  name: string
) =>
  operation.isPaged || operation.hasCursor
    ? pagedList(connection, operation, name, operation.hasCursor ? nextCursor : nextOffset)
    : method(connection, operation, name, listDecoder(connection, operation))
