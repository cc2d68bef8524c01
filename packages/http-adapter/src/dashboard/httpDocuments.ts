import type { OwnedDocuments } from "@headgate/core/adapter"
import type { Operation } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import { ObservabilityConnection } from "../Connection.ts"
import { call, callList } from "../call.ts"
import type { ListOperation } from "../decodeAnswer.ts"
import type { Missable, NotFoundOf, ParamsFor } from "../notFound.ts"

/** The rows of one kind of documents. */
interface Rows<Params, Document, Missing extends Missable> {
  readonly create: Operation<{}, object, Document>
  readonly list: ListOperation<{}, undefined, Document, never>
  readonly get: Operation<Params, undefined, Document, Missing>
  readonly update: Operation<Params, object, Document, Missing>
  readonly delete: Operation<Params, undefined, void, Missing>
}

/** The port to the documents of one kind over the observability API. `name` is that of its spans, as in `HttpConnections`. */
export const httpDocuments = <Request extends object, Document, Missing extends Missable>(
  rows: Rows<ParamsFor<Missing>, Document, Missing>,
  name: string
) =>
  Effect.map(
    ObservabilityConnection,
    (api): OwnedDocuments<ParamsFor<Missing>, Request, Document, NotFoundOf<Missing>> => {
      const create = call(api, rows.create, `${name}.create`)
      const list = callList(api, rows.list, `${name}.list`)
      const get = call<ParamsFor<Missing>, undefined, Document, Missing>(api, rows.get, `${name}.get`)
      const update = call<ParamsFor<Missing>, object, Document, Missing>(api, rows.update, `${name}.update`)
      const remove = call<ParamsFor<Missing>, undefined, void, Missing>(api, rows.delete, `${name}.delete`)
      return {
        create: (request) => create({}, request),
        list: () => list({}),
        get: (address) => get(address),
        update: (address, request) => update(address, request),
        delete: (address) => remove(address)
      }
    }
  )
