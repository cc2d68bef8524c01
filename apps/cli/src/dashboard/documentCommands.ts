import {
  Alert,
  AlertCreate,
  AlertId,
  type AlertNotFound,
  Alerts,
  Connection,
  ConnectionCreate,
  ConnectionId,
  type ConnectionNotFound,
  Connections,
  DashboardSource,
  DashboardSourceCreate,
  DashboardSources,
  SavedSearch,
  SavedSearchCreate,
  SavedSearches,
  SavedSearchId,
  type SavedSearchNotFound,
  SourceId,
  type SourceNotFound,
  Webhook,
  WebhookCreate,
  WebhookId,
  type WebhookNotFound,
  Webhooks
} from "@headgate/core"
import type { OwnedDocuments } from "@headgate/core/adapter"
import { HttpConnections, HttpDocumentStores, HttpSources, type ObservabilityConnection } from "@headgate/http-adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Command from "effect/cli/Command"
import { valuesCommand } from "../address/valuesCommand.ts"
import { nameArgument, type Noun, resolveName, wordsOf } from "../address/resolveName.ts"
import { listCommand } from "../list/listCommand.ts"
import * as Output from "../output/Output.ts"
import { cellText, detailText, masked } from "../output/detailText.ts"
import { confirm, yesFlag } from "../usage/confirm.ts"
import { documentDecoder, fileFlag } from "../settings/document.ts"
import { overObservability } from "../settings/withPorts.ts"
import { readDashboardDocument } from "./document.ts"
import { opaqueId } from "./opaqueId.ts"

type Missing = AlertNotFound | ConnectionNotFound | SavedSearchNotFound | SourceNotFound | WebhookNotFound

/** One kind of documents. */
interface Kind<
  Name extends string,
  Port,
  Id extends string,
  Address,
  Request extends object,
  Document extends { readonly id: Id; readonly name?: string | null | undefined },
  E
> {
  readonly port: Effect.Effect<OwnedDocuments<Address, Request, Document, Missing>, never, Port>
  readonly ports: Layer.Layer<Port, never, ObservabilityConnection>
  readonly named: Noun<Id, E, Port> & { readonly noun: Name }
  readonly addressOf: (id: Id) => Address
  readonly Request: Schema.Codec<Request, unknown>
  readonly Document: Schema.Codec<Document, unknown>
  /** The columns of the table after the id. */
  readonly columns: ReadonlyArray<keyof Document & string>
}

/** `headgate <noun> list|get|create|update|delete` */
const documentCommands = <
  const Name extends string,
  Port,
  Id extends string,
  Address,
  Request extends object,
  Document extends { readonly id: Id; readonly name?: string | null | undefined },
  E
>({
  addressOf,
  columns,
  Document,
  named,
  port,
  ports,
  Request
}: Kind<Name, Port, Id, Address, Request, Document, E>) => {
  const { noun } = named
  const { many, one, words } = wordsOf(noun)
  const decode = documentDecoder(Request, one)
  const read = Effect.fnUntraced(function* (file: string) {
    return yield* decode(yield* readDashboardDocument(file), `--file ${file}`)
  })
  const print = (document: Document, done?: string) =>
    Output.print(
      { text: (layout) => detailText(masked({ ...document }), layout), json: Output.encoded(Document, document) },
      done
    )

  const id = nameArgument(`${noun}-id`, `Id or name of the ${words}`)
  const resolve = (idOrName: string) => resolveName(named, idOrName, `<${noun}-id>`)
  const file = fileFlag(`${noun}.json`)
  const list = listCommand({
    description: `List all ${many}`,
    examples: [{ command: `headgate ${noun} list` }],
    elements: Effect.gen(function* () {
      return yield* (yield* port).list()
    }),
    schema: Effect.succeed(Document),
    columns: Object.fromEntries(
      columns.map((name) => [name.toUpperCase(), (document: Document) => cellText(document[name])])
    ),
    empty: `There are no ${many}.`
  })

  const get = Command.make(
    "get",
    { id },
    Effect.fnUntraced(function* ({ id }) {
      yield* print(yield* (yield* port).get(addressOf(yield* resolve(id))))
    })
  ).pipe(
    Command.withDescription(`Show ${one}`),
    Command.withExamples([{ command: `headgate ${noun} get 65f5e4a3b9e77c001a567890` }])
  )

  const create = Command.make(
    "create",
    { file },
    Effect.fnUntraced(function* ({ file }) {
      const request = yield* read(file)
      const document = yield* (yield* port).create(request)
      yield* print(document, `The ${words} ${document.id} was created`)
    })
  ).pipe(
    Command.withDescription(`Create ${one} from a document`),
    Command.withExamples([{ command: `headgate ${noun} create --file ${noun}.json` }])
  )

  const update = Command.make(
    "update",
    { id, file },
    Effect.fnUntraced(function* ({ file, id }) {
      const request = yield* read(file)
      const found = yield* resolve(id)
      yield* print(yield* (yield* port).update(addressOf(found), request), `The ${words} ${found} was updated`)
    })
  ).pipe(
    Command.withDescription(`Replace ${one} by a document: what is not in it is gone`),
    Command.withExamples([{ command: `headgate ${noun} update 65f5e4a3b9e77c001a567890 --file ${noun}.json` }])
  )

  const remove = Command.make(
    "delete",
    { id, yes: yesFlag },
    Effect.fnUntraced(function* ({ id, yes }) {
      const documents = yield* port
      const found = yield* resolve(id)
      if (!yes) yield* confirm(`Delete ${words} ${id} permanently?`)
      yield* documents.delete(addressOf(found))
      yield* Output.done(`The ${words} ${found} was deleted`, { id: found, deleted: true })
    })
  ).pipe(
    Command.withDescription(`Delete ${one} permanently`),
    Command.withExamples([{ command: `headgate ${noun} delete 65f5e4a3b9e77c001a567890 --yes` }])
  )

  const withPorts = overObservability(ports)
  return {
    command: Command.make(noun).pipe(
      Command.withSubcommands([
        withPorts(list),
        withPorts(get),
        withPorts(create),
        withPorts(update),
        withPorts(remove)
      ])
    ),
    values: withPorts(valuesCommand(noun, named.list))
  }
}

/** `headgate connection list|get|create|update|delete` */
export const connection = documentCommands({
  port: Connections.useSync(
    (connections): OwnedDocuments<{ readonly connectionId: ConnectionId }, ConnectionCreate, Connection, Missing> =>
      connections
  ),
  ports: HttpConnections.layer,
  addressOf: (connectionId) => ({ connectionId }),
  named: {
    noun: "connection",
    idIn: opaqueId((text) => ConnectionId.make(text)),
    list: Connections.use((connections) => connections.list())
  },
  Request: ConnectionCreate,
  Document: Connection,
  columns: ["name", "host", "username"]
})

/** `headgate source list|get|create|update|delete` */
export const source = documentCommands({
  port: DashboardSources.useSync(
    (sources): OwnedDocuments<{ readonly sourceId: SourceId }, DashboardSourceCreate, DashboardSource, Missing> =>
      sources
  ),
  ports: HttpSources.layer,
  addressOf: (sourceId) => ({ sourceId }),
  named: {
    noun: "source",
    idIn: opaqueId((text) => SourceId.make(text)),
    list: DashboardSources.use((sources) => sources.list())
  },
  Request: DashboardSourceCreate,
  Document: DashboardSource,
  columns: ["name", "kind", "connection"]
})

/** `headgate saved-search list|get|create|update|delete` */
export const savedSearch = documentCommands({
  port: SavedSearches.useSync(
    (searches): OwnedDocuments<{ readonly savedSearchId: SavedSearchId }, SavedSearchCreate, SavedSearch, Missing> =>
      searches
  ),
  ports: HttpDocumentStores.layerSavedSearches,
  addressOf: (savedSearchId) => ({ savedSearchId }),
  named: {
    noun: "saved-search",
    idIn: opaqueId((text) => SavedSearchId.make(text)),
    list: SavedSearches.use((searches) => searches.list())
  },
  Request: SavedSearchCreate,
  Document: SavedSearch,
  columns: ["name", "where"]
})

/** `headgate webhook list|get|create|update|delete` */
export const webhook = documentCommands({
  port: Webhooks.useSync(
    (webhooks): OwnedDocuments<{ readonly webhookId: WebhookId }, WebhookCreate, Webhook, Missing> => webhooks
  ),
  ports: HttpDocumentStores.layerWebhooks,
  addressOf: (webhookId) => ({ webhookId }),
  named: {
    noun: "webhook",
    idIn: opaqueId((text) => WebhookId.make(text)),
    list: Webhooks.use((webhooks) => webhooks.list())
  },
  Request: WebhookCreate,
  Document: Webhook,
  columns: ["name", "service"]
})

/** `headgate alert list|get|create|update|delete` */
export const alert = documentCommands({
  port: Alerts.useSync((alerts): OwnedDocuments<{ readonly alertId: AlertId }, AlertCreate, Alert, Missing> => alerts),
  ports: HttpDocumentStores.layerAlerts,
  addressOf: (alertId) => ({ alertId }),
  named: {
    noun: "alert",
    idIn: opaqueId((text) => AlertId.make(text)),
    list: Alerts.use((alerts) => alerts.list())
  },
  Request: AlertCreate,
  Document: Alert,
  columns: ["name", "threshold", "interval"]
})
