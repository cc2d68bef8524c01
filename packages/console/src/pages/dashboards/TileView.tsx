import type { ChartQuery } from "@headgate/client"
import type { ComponentChildren } from "preact"
import { useId, useMemo, useRef } from "preact/hooks"
import { type Asking, TileBody } from "./TileBody.tsx"
import { nameOf, placeOf, textOf, type Tile } from "./tile.ts"
import { useSeen } from "./useTile.ts"

interface TileViewProps {
  readonly tile: Tile
  readonly chart: ChartQuery["tile"]
  readonly config: unknown
  readonly asking: Asking
  /** Whether it is asked for also while it is out of view. */
  readonly isWanted?: boolean
  /** The controls of the tile while the dashboard is edited. */
  readonly children?: ComponentChildren
}

/** A tile in its place of the grid. */
export const TileView = ({ asking, chart, children, config, isWanted = false, tile }: TileViewProps) => {
  const element = useRef<HTMLElement>(null)
  const id = useId()
  const isSeen = useSeen(element).value || isWanted
  // Of a dashboard with hundreds of tiles, those that are out of view are not drawn again.
  const seen = useRef({ tile, chart, config, asking })
  if (isSeen) seen.current = { tile, chart, config, asking }
  const body = useMemo(() => <TileBody {...seen.current} isSeen={isSeen} />, [seen.current, isSeen])
  const { h, w, x, y } = placeOf(tile)
  const description = textOf(Reflect.get(tile, "description"))
  return (
    <section
      ref={element}
      class="tile"
      aria-labelledby={id}
      style={{ gridColumn: `${x + 1} / span ${w}`, gridRow: `${y + 1} / span ${h}`, "--rows": String(h) }}
    >
      <div class="tile-head">
        <h2 id={id} title={description === "" ? undefined : description}>
          <bdi>{nameOf(tile)}</bdi>
        </h2>
        {children}
      </div>
      <div class="tile-body" tabIndex={0} role="group" aria-labelledby={id}>
        {body}
      </div>
    </section>
  )
}
