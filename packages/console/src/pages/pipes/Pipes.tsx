import { useEffect, useMemo, useRef } from "preact/hooks"
import { announce } from "../../data/announce.ts"
import { pathOf, paths } from "../../data/paths.ts"
import { place, setQuery } from "../../data/route.ts"
import { may } from "../../data/session.ts"
import { Empty, Failed, Polled } from "../../parts/Conditions.tsx"
import { Copied } from "../../parts/Copy.tsx"
import { Link } from "../../parts/Link.tsx"
import { found } from "../../parts/table/model.ts"
import { Table } from "../../parts/table/Table.tsx"
import { Title } from "../../parts/Title.tsx"
import { columns } from "./columns.tsx"
import { Counters } from "./Counters.tsx"
import { countsOf, groups, inState, type PipeRow, statesOf } from "./pipeRows.ts"
import { usePipes } from "./usePipes.ts"

interface PipesProps {
  readonly organizationId: string
  readonly serviceId: string
}

const keyOf = ({ id }: PipeRow) => id

/** A link to the page that creates a pipe, for those who may. */
const NewPipe = (address: PipesProps) =>
  may("pipe:create") ? <Link to={pathOf(paths.create, { ...address })}>New pipe</Link> : null

const NoPipes = (address: PipesProps) => (
  <Empty title="There are no pipes yet">
    {may("pipe:create") ? (
      <>
        <p>
          <NewPipe {...address} />
        </p>
        <p>This command creates one from a document and waits until it runs:</p>
        <Copied of="command" text="headgate pipe create --file pipe.json --wait" />
      </>
    ) : (
      <p>The roles of this key do not allow it to create one. The role admin does.</p>
    )}
  </Empty>
)

interface FiltersProps {
  readonly rows: ReadonlyArray<PipeRow>
  readonly text: string
  readonly state: string
}

const Filters = ({ rows, state, text }: FiltersProps) => {
  const present = statesOf(rows).filter((each) => !groups.some((group) => group === each))
  return (
    <div class="row" role="search" aria-label="Pipes">
      <label>
        Filter{" "}
        <input
          type="search"
          value={text}
          placeholder="Name, source, table, message"
          onInput={(event) => setQuery({ text: event.currentTarget.value })}
        />
      </label>
      <label>
        State{" "}
        <select value={state} onChange={(event) => setQuery({ state: event.currentTarget.value })}>
          <option value="">All</option>
          {[...groups, ...present].map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
          {state === "" || [...groups, ...present].includes(state) ? null : <option value={state}>{state}</option>}
        </select>
      </label>
    </div>
  )
}

/** Tells those who do not see the page how many pipes there are in which state, when that changes. */
const useAnnouncedCounts = (rows: ReadonlyArray<PipeRow>) => {
  const counts = countsOf(rows)
  const text = groups.map((group) => `${group} ${counts[group]}`).join(", ")
  const before = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (rows.length === 0) return
    if (before.current !== undefined && before.current !== text) announce(`Pipes: ${text}`)
    before.current = text
  }, [text, rows.length === 0])
}

/** The pipes of a service, and how each goes on. */
export const Pipes = ({ organizationId, serviceId }: PipesProps) => {
  const { names, rows, statuses } = usePipes(organizationId, serviceId)
  useAnnouncedCounts(rows)
  const { query } = place.value
  const text = query.get("text") ?? ""
  const state = query.get("state") ?? ""
  const shown = useMemo(() => found(inState(rows, state), columns, text), [rows, state, text])
  const address = useMemo(
    () => (row: PipeRow) => pathOf(paths.pipe, { organizationId, serviceId, pipeId: row.id }),
    [organizationId, serviceId]
  )
  const failed = names.failure.value
  return (
    <>
      <div class="row">
        <Title>Pipes</Title>
        {rows.length === 0 ? null : <NewPipe organizationId={organizationId} serviceId={serviceId} />}
      </div>
      <Polled poll={statuses} of="pipes">
        {(all) =>
          all.length === 0 ? (
            <NoPipes organizationId={organizationId} serviceId={serviceId} />
          ) : (
            <>
              {failed === undefined ? null : <Failed failed={failed} retry={names.refresh} />}
              <Counters
                rows={rows}
                state={state}
                onState={(next) => setQuery({ state: next })}
                onLag={() => setQuery({ sort: "-lag", state: "", text: "" })}
              />
              <Filters rows={rows} text={text} state={state} />
              {shown.length === 0 ? (
                <Empty title="No pipe matches the filter">
                  <button type="button" onClick={() => setQuery({ text: "", state: "" })}>
                    Clear the filter
                  </button>
                </Empty>
              ) : (
                <Table
                  label="Pipes"
                  columns={columns}
                  rows={shown}
                  keyOf={keyOf}
                  sort="name"
                  sortIn="sort"
                  pathOf={address}
                />
              )}
            </>
          )
        }
      </Polled>
    </>
  )
}
