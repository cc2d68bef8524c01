import { escapeTerminalLine, table } from "@headgate/command-line"
import {
  Connection,
  ConnectionCreate,
  ConnectionId,
  type ConnectionNotFound,
  Connections,
  DashboardSource,
  DashboardSourceCreate,
  DashboardSources,
  SourceId,
  type SourceNotFound
} from "@headgate/core"
import type { OwnedDocuments } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Output from "../output/Output.ts"
import { detailText, masked } from "../output/detailText.ts"
import { listReceived } from "../output/listReceived.ts"
import { confirm, yesFlag } from "../usage/confirm.ts"
import { documentDecoder, fileFlag } from "../settings/document.ts"
import { readDashboardDocument } from "./document.ts"

type Missing = ConnectionNotFound | SourceNotFound

/** One kind of documents. */
interface Kind<Port, Id extends string, Request extends object, Document extends { readonly id: Id }> {
  readonly port: Effect.Effect<OwnedDocuments<Id, Request, Document, Missing>, never, Port>
  /** The name of the command. */
  readonly noun: string
  readonly Request: Schema.Codec<Request, unknown>
  readonly Document: Schema.Codec<Document, unknown>
  readonly idOf: (id: string) => Id
  /** The columns of the table after the id. */
  readonly columns: ReadonlyArray<keyof Document & string>
}

/** `headgate <noun> list|get|create|update|delete` */
const documentCommands = <Port, Id extends string, Request extends object, Document extends { readonly id: Id }>({
  columns,
  Document,
  idOf,
  noun,
  port,
  Request
}: Kind<Port, Id, Request, Document>) => {
  const decode = documentDecoder(Request)
  const encode = (document: Document) => Effect.orDie(Schema.encodeEffect(Document)(document))
  const read = Effect.fnUntraced(function* (file: string) {
    return yield* decode(yield* readDashboardDocument(file), `--file ${file}: this is not a ${noun}`)
  })
  const print = (document: Document, done?: string) =>
    Output.print({ text: () => detailText(masked({ ...document })), json: encode(document) }, done)

  const id = Argument.String(`${noun}-id`).pipe(Argument.withDescription(`Id of the ${noun}`), Argument.map(idOf))
  const file = fileFlag(`${noun}.json`)
  const textOf = (value: unknown): string => (typeof value === "string" ? escapeTerminalLine(value) : "")

  const list = Command.make(
    "list",
    {},
    Effect.fnUntraced(function* () {
      const { elements, received } = yield* listReceived((yield* port).list())
      const rows = elements.map((document) => [textOf(document.id), ...columns.map((name) => textOf(document[name]))])
      const header = ["ID", ...columns.map((name) => name.toUpperCase())]
      yield* Output.print({
        text: (width) => (rows.length === 0 ? "" : table([header, ...rows], width)),
        json: Effect.succeed(received)
      })
    })
  ).pipe(Command.withDescription(`List all ${noun}s`), Command.withExamples([{ command: `headgate ${noun} list` }]))

  const get = Command.make(
    "get",
    { id },
    Effect.fnUntraced(function* ({ id }) {
      yield* print(yield* (yield* port).get(id))
    })
  ).pipe(
    Command.withDescription(`Show a ${noun}`),
    Command.withExamples([{ command: `headgate ${noun} get 65f5e4a3b9e77c001a567890` }])
  )

  const create = Command.make(
    "create",
    { file },
    Effect.fnUntraced(function* ({ file }) {
      const request = yield* read(file)
      const document = yield* (yield* port).create(request)
      yield* print(document, `The ${noun} ${document.id} was created`)
    })
  ).pipe(
    Command.withDescription(`Create a ${noun} from a JSON document`),
    Command.withExamples([{ command: `headgate ${noun} create --file ${noun}.json` }])
  )

  const update = Command.make(
    "update",
    { id, file },
    Effect.fnUntraced(function* ({ file, id }) {
      const request = yield* read(file)
      yield* print(yield* (yield* port).update(id, request), `The ${noun} ${id} was updated`)
    })
  ).pipe(
    Command.withDescription(`Replace a ${noun} by a JSON document: what is not in it is gone`),
    Command.withExamples([{ command: `headgate ${noun} update 65f5e4a3b9e77c001a567890 --file ${noun}.json` }])
  )

  const remove = Command.make(
    "delete",
    { id, yes: yesFlag },
    Effect.fnUntraced(function* ({ id, yes }) {
      const documents = yield* port
      if (!yes) yield* confirm(`Delete ${noun} ${id} permanently?`)
      yield* documents.delete(id)
      yield* Output.done(`The ${noun} ${id} was deleted`, { id, deleted: true })
    })
  ).pipe(
    Command.withDescription(`Delete a ${noun} permanently`),
    Command.withExamples([{ command: `headgate ${noun} delete 65f5e4a3b9e77c001a567890 --yes` }])
  )

  return { list, get, create, update, remove }
}

/** `headgate connection list|get|create|update|delete` */
export const connectionCommands = documentCommands({
  port: Connections.useSync(
    (connections): OwnedDocuments<ConnectionId, ConnectionCreate, Connection, Missing> => connections
  ),
  noun: "connection",
  Request: ConnectionCreate,
  Document: Connection,
  idOf: (id) => ConnectionId.make(id),
  columns: ["name", "host", "username"]
})

/** `headgate source list|get|create|update|delete` */
export const sourceCommands = documentCommands({
  port: DashboardSources.useSync(
    (sources): OwnedDocuments<SourceId, DashboardSourceCreate, DashboardSource, Missing> => sources
  ),
  noun: "source",
  Request: DashboardSourceCreate,
  Document: DashboardSource,
  idOf: (id) => SourceId.make(id),
  columns: ["name", "kind", "connection"]
})
