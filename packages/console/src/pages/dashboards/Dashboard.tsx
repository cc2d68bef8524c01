import { useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { calls } from "../../data/calls.ts"
import { pathOf, paths } from "../../data/paths.ts"
import { usePoll } from "../../data/poll.ts"
import { go, place } from "../../data/route.ts"
import { may } from "../../data/session.ts"
import { Action } from "../../parts/Action.tsx"
import { Empty, Polled } from "../../parts/Conditions.tsx"
import { rangeOfPlace } from "../../parts/timeRange/TimeRange.tsx"
import { Title } from "../../parts/Title.tsx"
import { Controls } from "./Controls.tsx"
import { documentOf, fileNameOf } from "./exported.ts"
import { Filters } from "./Filters.tsx"
import { type Dashboard as Document, filtersOf, groupsOf } from "./tile.ts"
import type { Asking } from "./TileBody.tsx"
import { TileView } from "./TileView.tsx"
import { readView } from "./view.ts"

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

/** The page of a dashboard. */
export const Dashboard = ({ dashboardId, organizationId, serviceId }: DashboardProps) => {
  const poll = usePoll((signal) => calls.dashboard.get.versioned({ id: dashboardId }, { signal }), 30_000, [
    dashboardId
  ])
  const refreshed = useSignal(0)
  const isAllWanted = useSignal(false)
  const isDeleteOpen = useSignal(false)
  const zoned = rangeOfPlace()
  const view = readView(place.value.query, zoned)
  const read = poll.value.value
  const list = pathOf(paths.dashboards, { organizationId, serviceId })
  return (
    <>
      <div class="row">
        <Title>{read?.value.name ?? "Dashboard"}</Title>
        {(read?.value.tags ?? []).map((tag) => (
          <span key={tag} class="tag">
            {tag}
          </span>
        ))}
      </div>
      <Polled poll={poll} of="the dashboard">
        {({ etag, value: stored }) => {
          const filters = filtersOf(stored)
          const asking = { view, zoned, filters: filters.map(({ id }) => id), refreshed: refreshed.value }
          return (
            <>
              <div class="row commands">
                <button
                  type="button"
                  onClick={() => download(fileNameOf(stored), `${JSON.stringify(documentOf(stored), undefined, 2)}\n`)}
                >
                  Export
                </button>
                {may("dashboard:delete") ? (
                  <button type="button" onClick={() => (isDeleteOpen.value = true)}>
                    Delete …
                  </button>
                ) : null}
              </div>
              <Controls
                view={view}
                zoned={zoned}
                onRefresh={() => (refreshed.value += 1)}
                onPrint={() => (isAllWanted.value = true)}
              />
              <Filters filters={filters} view={view} zoned={zoned} />
              <Tiles stored={stored} asking={asking} isWanted={isAllWanted.value} />
              {isDeleteOpen.value ? (
                <DeleteDashboard stored={stored} etag={etag} list={list} onClose={() => (isDeleteOpen.value = false)} />
              ) : null}
            </>
          )
        }}
      </Polled>
    </>
  )
}
