import { useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { calls } from "../../data/calls.ts"
import { second } from "../../data/clock.ts"
import { pathOf, paths } from "../../data/paths.ts"
import { usePoll } from "../../data/poll.ts"
import { go, place, setQuery } from "../../data/route.ts"
import { may } from "../../data/session.ts"
import { timeIn } from "../../format/times.ts"
import { Action } from "../../parts/Action.tsx"
import { Empty, Polled } from "../../parts/Conditions.tsx"
import { rangeOfPlace } from "../../parts/timeRange/TimeRange.tsx"
import type { ZonedRange } from "../../parts/timeRange/timeRange.ts"
import { Title } from "../../parts/Title.tsx"
import { Controls } from "./Controls.tsx"
import { documentOf, fileNameOf } from "./exported.ts"
import { Editor } from "./Editor.tsx"
import { Filters } from "./Filters.tsx"
import { type Dashboard as Document, type Filter, filtersOf, groupsOf } from "./tile.ts"
import type { Asking } from "./TileBody.tsx"
import { TileView } from "./TileView.tsx"
import { type DashboardView, readView, viewText } from "./view.ts"

interface DashboardProps {
  readonly organizationId: string
  readonly serviceId: string
  readonly dashboardId: string
}

/** Saves a file of the browser. */
const download = (name: string, text: string) => {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

interface DeleteProps {
  readonly stored: Document
  readonly etag: string | undefined
  readonly list: string
  readonly onClose: () => void
}

const DeleteDashboard = ({ etag, list, onClose, stored }: DeleteProps) => {
  const run = async () => {
    await calls.dashboard.delete({ id: stored.id }, { ifMatch: etag })
    go(list)
  }
  return (
    <Action title={`Delete ${stored.name}`} verb="Delete" isDangerous run={run} onClose={onClose}>
      <p>
        The dashboard and its {stored.tiles?.length ?? 0} tiles are deleted for good. The rows and the sources that they
        show stay. Its export is a file that <code>headgate apply</code> makes a dashboard of again.
      </p>
    </Action>
  )
}

const Tiles = ({
  asking,
  isWanted,
  stored
}: {
  readonly stored: Document
  readonly asking: Asking
  readonly isWanted: boolean
}) => {
  const groups = useMemo(() => groupsOf(stored), [stored])
  if (groups.length === 0) {
    return (
      <Empty title="The dashboard has no tiles">
        {may("dashboard:update") ? <p>Edit it to add some.</p> : <p>The role admin may add some.</p>}
      </Empty>
    )
  }
  return (
    <>
      {groups.map(({ key, tiles, title }) => (
        <div key={key}>
          {title === undefined ? null : <h2>{title}</h2>}
          <div class="tiles">
            {tiles.map((tile) => (
              <TileView
                key={tile.id}
                tile={tile}
                chart={{ dashboardId: stored.id, tileId: tile.id }}
                config={tile.config}
                asking={asking}
                isWanted={isWanted}
              />
            ))}
          </div>
        </div>
      ))}
    </>
  )
}

interface CommandsProps {
  readonly stored: Document
  readonly onDelete: () => void
}

const Commands = ({ onDelete, stored }: CommandsProps) => (
  <div class="row commands">
    {may("dashboard:update") ? (
      <button type="button" class="primary" onClick={() => setQuery({ edit: "on" })}>
        Edit
      </button>
    ) : null}
    <button
      type="button"
      onClick={() => download(fileNameOf(stored), `${JSON.stringify(documentOf(stored), undefined, 2)}\n`)}
    >
      Export
    </button>
    {may("dashboard:delete") ? (
      <button type="button" onClick={onDelete}>
        Delete …
      </button>
    ) : null}
  </div>
)

const Tags = ({ tags }: { readonly tags: ReadonlyArray<string> }) => (
  <>
    {tags.map((tag) => (
      <span key={tag} class="tag">
        {tag}
      </span>
    ))}
  </>
)

interface PrintedProps {
  readonly filters: ReadonlyArray<Filter>
  readonly view: DashboardView
  readonly zoned: ZonedRange
}

/** What the controls say, on paper. */
const Printed = ({ filters, view, zoned }: PrintedProps) => {
  const nameOf = (id: string) => filters.find((filter) => filter.id === id)?.name
  return (
    <p class="print-only">{viewText(view, zoned, second.value, nameOf, (instant) => timeIn(instant, zoned.zone))}</p>
  )
}

/** The page of a dashboard: drawn, or edited. */
export const Dashboard = ({ dashboardId, organizationId, serviceId }: DashboardProps) => {
  const { query } = place.value
  const isEdited = query.get("edit") === "on" && may("dashboard:update")
  // It goes on while the dashboard is edited: the editor keeps the version that it began with.
  const poll = usePoll((signal) => calls.dashboard.get.versioned({ id: dashboardId }, { signal }), 30_000, [
    dashboardId
  ])
  const refreshed = useSignal(0)
  const isAllWanted = useSignal(false)
  const isDeleteOpen = useSignal(false)
  const zoned = rangeOfPlace()
  const view = readView(query, zoned)
  const read = poll.value.value
  return (
    <>
      <div class="row">
        <Title>{read?.value.name ?? "Dashboard"}</Title>
        <Tags tags={read?.value.tags ?? []} />
      </div>
      <Polled poll={poll} of="the dashboard">
        {(versioned) => {
          const stored = versioned.value
          const filters = filtersOf(stored)
          const asking = { view, zoned, filters: filters.map(({ id }) => id), refreshed: refreshed.value }
          return (
            <>
              {isEdited ? null : <Commands stored={stored} onDelete={() => (isDeleteOpen.value = true)} />}
              <Controls
                view={view}
                zoned={zoned}
                onRefresh={() => (refreshed.value += 1)}
                onPrint={() => (isAllWanted.value = true)}
              />
              <Filters filters={filters} view={view} zoned={zoned} />
              <Printed filters={filters} view={view} zoned={zoned} />
              {isEdited ? (
                <Editor
                  stored={versioned}
                  asking={asking}
                  onSaved={poll.set}
                  onEnd={() => {
                    setQuery({ edit: "" })
                    poll.refresh()
                  }}
                />
              ) : (
                <Tiles stored={stored} asking={asking} isWanted={isAllWanted.value} />
              )}
              {isDeleteOpen.value ? (
                <DeleteDashboard
                  stored={stored}
                  etag={versioned.etag}
                  list={pathOf(paths.dashboards, { organizationId, serviceId })}
                  onClose={() => (isDeleteOpen.value = false)}
                />
              ) : null}
            </>
          )
        }}
      </Polled>
    </>
  )
}
