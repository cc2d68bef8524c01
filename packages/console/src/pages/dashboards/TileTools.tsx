import { useRef } from "preact/hooks"
import { type Cells, columns, placeOfKey, placeOfPointer } from "./grid.ts"
import { nameOf, placeOf, type Tile } from "./tile.ts"

interface ToolsProps {
  readonly tile: Tile
  /** Puts the tile at a place. */
  readonly onPlace: (place: Cells) => void
  /** A pointer begins to move the tile: each place counts from how the tiles are now. */
  readonly onStart: () => void
  /** The pointer has left the tile where it is, or given up. */
  readonly onEnd: (isKept: boolean) => void
  readonly onEdit: () => void
  readonly onRemove: () => void
}

/** The length of a cell in pixels, with the gap to the next one. */
const cellOf = (element: HTMLElement) => {
  const grid = element.closest(".tiles")
  const style = grid === null ? undefined : getComputedStyle(grid)
  const gap = Number.parseFloat(style?.columnGap ?? "") || 0
  const row = Number.parseFloat(style?.gridAutoRows ?? "") || 64
  return { width: ((grid?.clientWidth ?? 1) + gap) / columns, height: row + gap }
}

interface Grip {
  readonly x: number
  readonly y: number
  readonly from: Cells
  readonly cell: { readonly width: number; readonly height: number }
  readonly isResize: boolean
}

/** Moves a tile with a pointer: of a mouse, a finger or a pen. */
const useGrip = ({ onEnd, onPlace, onStart, tile }: ToolsProps) => {
  const grip = useRef<Grip>(undefined)
  const end = (isKept: boolean) => {
    if (grip.current === undefined) return
    grip.current = undefined
    onEnd(isKept)
  }
  return (isResize: boolean) => ({
    onPointerDown: (event: PointerEvent & { readonly currentTarget: HTMLElement }) => {
      if (event.button !== 0) return
      const { clientX: x, clientY: y, currentTarget } = event
      currentTarget.setPointerCapture(event.pointerId)
      grip.current = { x, y, from: placeOf(tile), cell: cellOf(currentTarget), isResize }
      onStart()
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      const { current } = grip
      if (current === undefined) return
      const by = { x: clientX - current.x, y: clientY - current.y }
      onPlace(placeOfPointer(current.from, by, current.cell, current.isResize))
    },
    onPointerUp: () => end(true),
    onPointerCancel: () => end(false)
  })
}

/** The controls of a tile while its dashboard is edited. */
export const TileTools = (props: ToolsProps) => {
  const { onEdit, onPlace, onRemove, tile } = props
  const grip = useGrip(props)
  const name = nameOf(tile)
  return (
    <>
      <button
        type="button"
        class="tile-move"
        aria-label={`Move ${name}`}
        title="Drag it, or use the arrow keys; with Shift they change its size"
        {...grip(false)}
        onKeyDown={(event) => {
          const place = placeOfKey(placeOf(tile), event.key, event.shiftKey)
          if (place === undefined) return
          event.preventDefault()
          onPlace(place)
        }}
      >
        <span aria-hidden="true">✥</span>
      </button>
      <button type="button" onClick={onEdit}>
        Edit<span class="hidden-label"> {name}</span>
      </button>
      <button type="button" onClick={onRemove}>
        Remove<span class="hidden-label"> {name}</span>
      </button>
      <span class="tile-resize" aria-hidden="true" {...grip(true)} />
    </>
  )
}
