import type { Secret } from "@headgate/client"
import { newIdempotencyKey } from "./idempotencyKey.ts"
import { send, type HttpRequest } from "./request.ts"
import { served } from "./server.ts"

/** A value as JSON has it: secrets are texts. */
export type Json<A> = A extends Secret
  ? string
  : A extends string | number | boolean | null | undefined
    ? A
    : A extends ReadonlyArray<infer Item>
      ? ReadonlyArray<Json<Item>>
      : A extends object
        ? { readonly [Name in keyof A]: Json<A[Name]> }
        : A

type Method = (request: any, ...rest: ReadonlyArray<any>) => PromiseLike<unknown>

/** A request with all of its address: the console has no organization and service that a request may leave out. */
type Addressed<Request> = Request extends object
  ? Request & { readonly [Name in keyof Request & ("organizationId" | "serviceId")]: string }
  : Request

/** What a method of the client takes, without the secrets' type. */
export type RequestOf<M extends Method> = Addressed<Parameters<M>[0]>
/** What a method of the client resolves to. */
export type ResultOf<M extends Method> = Json<Awaited<ReturnType<M>>>

/** What a call may say beside its request. */
export interface CallOptions {
  readonly signal?: AbortSignal
  readonly ifMatch?: string | undefined
  readonly idempotencyKey?: string
  /** Only checks whether a creation would succeed: nothing is made, and the result is empty. */
  readonly validateOnly?: true
}

/** An operation of the API: its method and path, and a function that calls it. */
export interface Call<M extends Method> {
  (request: RequestOf<M>, options?: CallOptions): Promise<ResultOf<M>>
  /** As the call, with the version of the answer. */
  readonly versioned: (
    request: RequestOf<M>,
    options?: CallOptions
  ) => Promise<{ readonly value: ResultOf<M>; readonly etag: string | undefined }>
  readonly method: HttpRequest["method"]
  readonly path: `/${string}`
  /** Whether each call creates something: it is sent with a key, by which it happens once. */
  readonly isCreation: boolean
}

/** A path with the names that the dialect decides. */
export const inDialect = (path: string): string =>
  served.dialect === "neutral" ? path : path.replace("/dbpipes", "/clickpipes").replace("/dbstack", "/clickstack")

/** The path with its parameters, and the fields that are left over: the query of a GET, the body of the others. */
const addressed = (path: string, request: Readonly<Record<string, unknown>>) => {
  const rest = { ...request }
  const filled = inDialect(path).replace(/:(\w+)/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  return { filled, rest: Object.entries(rest).filter(([, value]) => value !== undefined) }
}

const queryOf = (fields: ReadonlyArray<readonly [string, unknown]>): string => {
  const query = new URLSearchParams(fields.map(([name, value]) => [name, String(value)]))
  return query.size === 0 ? "" : `?${query}`
}

/**
 * An operation whose request and result are those of a method of the client, which is only a type here: the client itself is larger
 * than this page. `test/calls.test.ts` compares methods and paths with the contract.
 */
export const call = <M extends Method>(
  method: HttpRequest["method"],
  path: `/${string}`,
  isCreation: boolean = false
): Call<M> => {
  const versioned: Call<M>["versioned"] = async (request, { validateOnly, ...options } = {}) => {
    const { filled, rest } = addressed(path, request ?? {})
    const { etag, value } = await send({
      method,
      path: method === "GET" ? filled + queryOf(rest) : validateOnly ? `${filled}?validateOnly=true` : filled,
      ...(method !== "GET" && rest.length > 0 ? { body: Object.fromEntries(rest) } : {}),
      envelope: path.startsWith("/api/v2") ? "data" : "result",
      ...(isCreation && !validateOnly ? { idempotencyKey: options.idempotencyKey ?? newIdempotencyKey() } : {}),
      ...options
    })
    return { value: value as ResultOf<M>, etag }
  }
  return Object.assign(
    (request: RequestOf<M>, options?: CallOptions) => versioned(request, options).then(({ value }) => value),
    { versioned, method, path, isCreation }
  )
}
