import { number } from "../../format/numbers.ts"
import { tablesOf } from "./details.ts"
import type { PipeDocument, PipeStatus } from "./usePipe.ts"

const copying = new Set(["Snapshot", "Resync"])

interface TablesProps {
  readonly pipe: PipeDocument
  readonly status: PipeStatus | undefined
}

/** The tables of a database that a pipe copies. */
export const Tables = ({ pipe, status }: TablesProps) => {
  const tables = tablesOf(pipe.source)
  if (tables.length === 0) return null
  const isCopying = status !== undefined && copying.has(status.state)
  return (
    <section aria-labelledby="tables">
      <h2 id="tables">Tables</h2>
      {isCopying ? (
        <p>
          The tables are being copied: {number(status.rows)} rows of all tables so far
          {typeof status.rowsPerSecond === "number" ? `, ${number(status.rowsPerSecond)} a second` : ""}.
        </p>
      ) : null}
      <div class="scroll" tabIndex={0} role="region" aria-label="List of the tables">
        <table>
          <thead>
            <tr>
              <th scope="col">Table of the source</th>
              <th scope="col">Table of the warehouse</th>
              <th scope="col">Engine</th>
            </tr>
          </thead>
          <tbody>
            {tables.map(({ engine, source, target }) => (
              <tr key={`${source} ${target}`}>
                <th scope="row">
                  <bdi>{source}</bdi>
                </th>
                <td>
                  <bdi>{target}</bdi>
                </td>
                <td>{engine === "" ? "Default" : engine}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

interface NotedProps {
  readonly title: string
  readonly noted: { readonly count: number; readonly newest: ReadonlyArray<string> } | null | undefined
}

const Noted = ({ noted, title }: NotedProps) =>
  noted === null || noted === undefined || noted.count === 0 ? null : (
    <div>
      <dt>
        {title}: {number(noted.count)}
      </dt>
      {noted.newest.map((key) => (
        <dd key={key} class="wrapped">
          <code>
            <bdi>{key}</bdi>
          </code>
        </dd>
      ))}
    </div>
  )

/** What of the source is not in the table: fields without a column, and whole objects. */
export const LeftOut = ({ status }: { readonly status: PipeStatus | undefined }) => {
  const unknown = status?.unknownFields ?? []
  const hasObjects = (status?.rejectedObjects?.count ?? 0) + (status?.emptyObjects?.count ?? 0) > 0
  if (unknown.length === 0 && !hasObjects) return null
  return (
    <section aria-labelledby="left-out">
      <h2 id="left-out">Left out</h2>
      <dl class="facts">
        {unknown.length === 0 ? null : (
          <div>
            <dt>Fields that the table has no column for</dt>
            {unknown.map(({ name, rows }) => (
              <dd key={name} class="wrapped">
                <code>
                  <bdi>{name}</bdi>
                </code>{" "}
                {typeof rows === "number" ? <span class="quiet">in {number(rows)} rows</span> : null}
              </dd>
            ))}
          </div>
        )}
        <Noted title="Rejected objects" noted={status?.rejectedObjects} />
        <Noted title="Objects without a row" noted={status?.emptyObjects} />
      </dl>
    </section>
  )
}
