import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { announce } from "../../data/announce.ts"
import { calls } from "../../data/calls.ts"
import { usePoll } from "../../data/poll.ts"
import { may } from "../../data/session.ts"
import { Empty, Polled } from "../../parts/Conditions.tsx"
import { PlainTable } from "../../parts/PlainTable.tsx"
import { Title } from "../../parts/Title.tsx"
import { DeleteDialog } from "./DeleteDialog.tsx"
import { DocumentDialog } from "./DocumentDialog.tsx"
import { connectionKind, type Document, type DocumentKind, sourceKind } from "./documentKinds.ts"
import { connectionTitles, isOwn, tableOf, usersOf } from "./sourceModel.ts"

const refreshMilliseconds = 30_000

interface Opened {
  readonly kind: DocumentKind
  readonly document: Document | undefined
  readonly dialog: "edit" | "delete"
}

interface ButtonsProps {
  readonly kind: DocumentKind
  readonly document: Document
  readonly open: (opened: Opened) => void
}

const Buttons = ({ document, kind, open }: ButtonsProps) =>
  may(`${kind.one}:write`) ? (
    <div class="row">
      <button type="button" onClick={() => open({ kind, document, dialog: "edit" })}>
        Change<span class="hidden-label"> {document.name}</span>
      </button>
      <button type="button" onClick={() => open({ kind, document, dialog: "delete" })}>
        Delete<span class="hidden-label"> {document.name}</span>
      </button>
    </div>
  ) : null

interface SectionProps {
  readonly kind: DocumentKind
  readonly title: string
  readonly open: (opened: Opened) => void
  readonly children: ComponentChildren
}

const Section = ({ children, kind, open, title }: SectionProps) => (
  <section aria-labelledby={`${kind.one}s`}>
    <div class="row section-head">
      <h2 id={`${kind.one}s`}>{title}</h2>
      {may(`${kind.one}:write`) ? (
        <button type="button" onClick={() => open({ kind, document: undefined, dialog: "edit" })}>
          New {kind.one}
        </button>
      ) : null}
    </div>
    {children}
  </section>
)

const ConnectionRows = ({
  connections,
  open
}: Pick<SectionProps, "open"> & { readonly connections: Awaited<ReturnType<typeof calls.connection.list>> }) => (
  <PlainTable label="Table of connections" columns={["Name", "Database", "User", "Change"]}>
    {connections.map((connection) => (
      <tr key={connection.id}>
        <th scope="row">{connection.name}</th>
        <td>{connection.host ?? ""}</td>
        <td>{connection.username ?? ""}</td>
        <td>
          {isOwn(connection) ? (
            <span class="quiet">The server's own</span>
          ) : (
            <Buttons kind={connectionKind} document={connection} open={open} />
          )}
        </td>
      </tr>
    ))}
  </PlainTable>
)

const SourceRows = ({
  open,
  sources,
  titles
}: Pick<SectionProps, "open"> & {
  readonly sources: Awaited<ReturnType<typeof calls.source.list>>
  readonly titles: Readonly<Record<string, string>>
}) => (
  <PlainTable label="Table of sources" columns={["Name", "Kind", "Table", "Time", "Connection", "Change"]}>
    {sources.map((source) => (
      <tr key={source.id}>
        <th scope="row">{source.name}</th>
        <td>{source.kind ?? ""}</td>
        <td>{tableOf(source)}</td>
        <td>{source.timestampValueExpression ?? ""}</td>
        <td>
          {titles[source.connection ?? ""] ?? (
            <span class="state-warning">
              <span aria-hidden="true">▲</span> {source.connection ?? "none"}: there is no such connection
            </span>
          )}
        </td>
        <td>
          <Buttons kind={sourceKind} document={source} open={open} />
        </td>
      </tr>
    ))}
  </PlainTable>
)

/** The page of the connections of dashboards to databases, and of the data sources that they lead to. */
export const Sources = ({ organizationId }: { readonly organizationId: string }) => {
  const connections = usePoll((signal) => calls.connection.list(undefined, { signal }), refreshMilliseconds, [
    organizationId
  ])
  const sources = usePoll((signal) => calls.source.list(undefined, { signal }), refreshMilliseconds, [organizationId])
  const opened = useSignal<Opened | undefined>(undefined)
  const open = (next: Opened) => {
    opened.value = next
  }
  const close = () => {
    opened.value = undefined
  }
  const titles = connectionTitles(connections.value.value ?? [])
  const dialog = opened.value
  const done = () => {
    announce(`The ${dialog?.kind.one} was ${dialog?.dialog === "delete" ? "deleted" : "saved"}`)
    connections.refresh()
    sources.refresh()
  }
  return (
    <>
      <Title>Connections and sources</Title>
      <Section kind={connectionKind} title="Connections" open={open}>
        <Polled poll={connections} of="connections">
          {(list) =>
            list.length === 0 ? (
              <Empty title="There are no connections yet">
                <p>A connection names a database that dashboards read.</p>
              </Empty>
            ) : (
              <ConnectionRows connections={list} open={open} />
            )
          }
        </Polled>
      </Section>
      <Section kind={sourceKind} title="Sources" open={open}>
        <Polled poll={sources} of="sources">
          {(list) =>
            list.length === 0 ? (
              <Empty title="There are no sources yet">
                <p>A source names a table of a connection, and what its rows are.</p>
              </Empty>
            ) : (
              <SourceRows sources={list} titles={titles} open={open} />
            )
          }
        </Polled>
      </Section>
      {dialog?.dialog === "edit" ? (
        <DocumentDialog
          kind={dialog.kind}
          id={dialog.document?.id}
          connections={titles}
          onDone={done}
          onClose={close}
        />
      ) : null}
      {dialog?.dialog === "delete" && dialog.document !== undefined ? (
        <DeleteDialog
          kind={dialog.kind}
          document={dialog.document}
          users={dialog.kind.one === "connection" ? usersOf(dialog.document.id, sources.value.value ?? []) : []}
          onDone={done}
          onClose={close}
        />
      ) : null}
    </>
  )
}
