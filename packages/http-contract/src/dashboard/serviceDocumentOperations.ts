import { ServiceAddress } from "@headgate/core"
import type { NotFound, Permission } from "@headgate/core/adapter"
import * as Schema from "effect/Schema"
import { noContent, noPayload, type Operation } from "../Operation.ts"

interface Kind<Item extends ServiceAddress, Request, Update, Document, Missing extends NotFound["_tag"]> {
  readonly path: `/${string}`
  /** The parameters of the path of one. */
  readonly item: Schema.Codec<Item, { readonly [name: string]: string }>
  /** The name of the last of them. */
  readonly parameter: string
  readonly request: Schema.Codec<Request, unknown>
  readonly update: Schema.Codec<Update, unknown>
  readonly document: Schema.Codec<Document, unknown>
  readonly notFound: Missing
  readonly read: Permission
  readonly write: Permission
  /** What the summaries call one, and several. */
  readonly one: string
  readonly many: string
}

/** The five operations on one kind of documents that callers reach through a service. */
export const serviceDocumentOperations = <
  Item extends ServiceAddress,
  Request,
  Update,
  Document,
  Missing extends NotFound["_tag"]
>(
  kind: Kind<Item, Request, Update, Document, Missing>
) => {
  const { document, item, many, notFound, one, parameter, path, read, request, update, write } = kind
  const every = { api: "management", path, params: ServiceAddress, stability: "beta" } as const
  const each = { ...every, path: `${path}/:${parameter}`, params: item, notFound } as const
  return {
    list: {
      ...every,
      method: "GET",
      permission: read,
      payload: noPayload,
      success: Schema.Array(document),
      notFound: "ServiceNotFound",
      errors: [],
      isRepeatable: true,
      summary: `List all ${many}`
    } satisfies Operation<ServiceAddress, undefined, ReadonlyArray<Document>, "ServiceNotFound">,
    create: {
      ...every,
      method: "POST",
      permission: write,
      payload: request,
      success: document,
      notFound: "ServiceNotFound",
      errors: ["CONFLICT", "FAILED_DEPENDENCY"],
      isRepeatable: false,
      summary: `Create ${one}`
    } satisfies Operation<ServiceAddress, Request, Document, "ServiceNotFound">,
    get: {
      ...each,
      method: "GET",
      permission: read,
      payload: noPayload,
      success: document,
      errors: [],
      isRepeatable: true,
      summary: `Read ${one}`
    } satisfies Operation<Item, undefined, Document, Missing>,
    update: {
      ...each,
      method: "PUT",
      permission: write,
      payload: update,
      success: document,
      errors: ["CONFLICT", "FAILED_DEPENDENCY"],
      isRepeatable: true,
      summary: `Replace ${one}`
    } satisfies Operation<Item, Update, Document, Missing>,
    delete: {
      ...each,
      method: "DELETE",
      permission: write,
      payload: noPayload,
      success: noContent,
      errors: ["FAILED_DEPENDENCY"],
      isRepeatable: true,
      summary: `Delete ${one}`
    } satisfies Operation<Item, undefined, void, Missing>
  } as const
}
