import { useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { calls } from "../../data/calls.ts"
import { pathOf, paths } from "../../data/paths.ts"
import { usePoll } from "../../data/poll.ts"
import { place, setQuery } from "../../data/route.ts"
import { may } from "../../data/session.ts"
import { Empty, Polled } from "../../parts/Conditions.tsx"
import { Copied } from "../../parts/Copy.tsx"
import type { Column } from "../../parts/table/column.ts"
import { byNumber, found } from "../../parts/table/model.ts"
import { Table } from "../../parts/table/Table.tsx"
import { Title } from "../../parts/Title.tsx"
import { NewDashboard } from "./NewDashboard.tsx"
import type { Dashboard as DashboardDocument } from "./tile.ts"

interface Row {
  readonly id: string
  readonly name: string
  readonly tiles: number
  readonly tags: string
}

const columns: ReadonlyArray<Column<Row>> = [
  { name: "name", title: "Name", value: ({ name }) => name, width: "minmax(12rem, 2fr)" },
  { name: "tiles", title: "Tiles", value: ({ tiles }) => tiles, compare: byNumber, isNumber: true },
  { name: "tags", title: "Tags", value: ({ tags }) => tags, width: "minmax(10rem, 2fr)" }
]

const keyOf = ({ id }: Row) => id

const FromPipe = () => (
  <details>
    <summary>From a pipe</summary>
    <p>
      This command makes a dashboard of a pipe that moves rows: rows over time, by a column of few values, and the
      newest ones. It makes the source of its table, too.
    </p>
    <Copied of="command" text="headgate dashboard create --from-pipe <pipe>" />
  </details>
)

interface ListedProps {
  readonly list: ReadonlyArray<DashboardDocument>
  readonly pathOf: (row: Row) => string
}

const Listed = ({ list, pathOf }: ListedProps) => {
  const text = place.value.query.get("text") ?? ""
  const rows = useMemo(
    () =>
      list.map(({ id, name, tags, tiles }): Row => ({
        id,
        name,
        tiles: tiles?.length ?? 0,
        tags: (tags ?? []).join(", ")
      })),
    [list]
  )
  const shown = useMemo(() => found(rows, columns, text), [rows, text])
  return (
    <>
      <div role="search" aria-label="Dashboards">
        <label>
          Filter{" "}
          <input
            type="search"
            value={text}
            placeholder="Name, tag"
            onInput={(event) => setQuery({ text: event.currentTarget.value })}
          />
        </label>
      </div>
      {shown.length === 0 ? (
        <Empty title="No dashboard matches the filter">
          <button type="button" onClick={() => setQuery({ text: "" })}>
            Clear the filter
          </button>
        </Empty>
      ) : (
        <Table
          label="Dashboards"
          columns={columns}
          rows={shown}
          keyOf={keyOf}
          sort="name"
          sortIn="sort"
          pathOf={pathOf}
        />
      )}
    </>
  )
}

interface DashboardsProps {
  readonly organizationId: string
  readonly serviceId: string
}

/** The dashboards of the organization. */
export const Dashboards = ({ organizationId, serviceId }: DashboardsProps) => {
  const poll = usePoll((signal) => calls.dashboard.list(undefined, { signal }), 30_000, [organizationId])
  const isNewOpen = useSignal(false)
  const address = ({ id }: Row) => pathOf(paths.dashboard, { organizationId, serviceId, dashboardId: id })
  const mayCreate = may("dashboard:create")
  return (
    <>
      <div class="row">
        <Title>Dashboards</Title>
        {mayCreate ? (
          <button type="button" class="primary" onClick={() => (isNewOpen.value = true)}>
            New dashboard …
          </button>
        ) : null}
      </div>
      <Polled poll={poll} of="dashboards">
        {(all) =>
          all.length === 0 ? (
            <Empty title="There are no dashboards yet">
              <p>A dashboard has tiles: charts, tables, numbers and texts over the rows of a table.</p>
            </Empty>
          ) : (
            <Listed list={all} pathOf={address} />
          )
        }
      </Polled>
      {mayCreate ? <FromPipe /> : null}
      {isNewOpen.value ? (
        <NewDashboard
          organizationId={organizationId}
          serviceId={serviceId}
          onClose={() => {
            isNewOpen.value = false
          }}
        />
      ) : null}
    </>
  )
}
