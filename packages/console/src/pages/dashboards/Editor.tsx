import { useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { calls } from "../../data/calls.ts"
import { usePoll } from "../../data/poll.ts"
import { served } from "../../data/server.ts"
import { may } from "../../data/session.ts"
import { Failed } from "../../parts/Conditions.tsx"
import { Conflict } from "./Conflict.tsx"
import { chartOf, configOf, newTile, tilesOf, withoutTile, withTile } from "./edit.ts"
import { type Cells, placeText } from "./grid.ts"
import { groupsOf, nameOf, type Tile } from "./tile.ts"
import type { Asking } from "./TileBody.tsx"
import { TileDialog } from "./TileDialog.tsx"
import { TileTools } from "./TileTools.tsx"
import { TileView } from "./TileView.tsx"
import { useEditing, type Versioned } from "./useEditing.ts"

interface EditorProps {
  readonly stored: Versioned
  readonly asking: Asking
  readonly onSaved: (saved: Versioned) => void
  /** Ends the editing. */
  readonly onEnd: () => void
}

type Editing = ReturnType<typeof useEditing>

const tagsIn = (text: string): ReadonlyArray<string> =>
  Array.from(
    new Set(
      text
        .split(",")
        .map((tag) => tag.trim())
        .filter(Boolean)
    )
  )

/** The name and the tags of the dashboard. */
const Names = ({ editing: { draft } }: { readonly editing: Editing }) => {
  const tags = useSignal((draft.peek().tags ?? []).join(", "))
  return (
    <div class="row">
      <label>
        Name{" "}
        <input
          autocomplete="off"
          value={draft.value.name}
          onInput={({ currentTarget }) => (draft.value = { ...draft.value, name: currentTarget.value })}
        />
      </label>
      <label>
        Tags, separated by commas{" "}
        <input
          autocomplete="off"
          value={tags.value}
          onInput={({ currentTarget }) => {
            tags.value = currentTarget.value
            draft.value = { ...draft.value, tags: tagsIn(currentTarget.value) }
          }}
        />
      </label>
    </div>
  )
}

interface CommandsProps {
  readonly editing: Editing
  readonly add: () => void
  readonly onEnd: () => void
}

const Commands = ({ add, editing, onEnd }: CommandsProps) => {
  const isChanged = editing.isChanged()
  const isReady = isChanged && !editing.isSaving.value && editing.draft.value.name.trim() !== ""
  return (
    <div class="row commands">
      <button type="button" onClick={add}>
        Add a tile
      </button>
      <button type="button" class="primary" disabled={!isReady} onClick={() => void editing.save()}>
        {editing.isSaving.value ? "Save …" : "Save"}
      </button>
      <button
        type="button"
        onClick={() => {
          if (isChanged && !window.confirm("Discard the changes that are not saved?")) return
          editing.drop()
          onEnd()
        }}
      >
        {isChanged ? "Discard the changes" : "End editing"}
      </button>
    </div>
  )
}

interface TilesProps {
  readonly editing: Editing
  readonly stored: Versioned
  readonly asking: Asking
  readonly say: (text: string) => void
  readonly edit: (tile: Tile) => void
}

const Tiles = ({ asking, edit, editing, say, stored }: TilesProps) => {
  const { draft } = editing
  const groups = useMemo(() => groupsOf(draft.value, false), [draft.value])
  const place = (tile: Tile) => (cells: Cells) => {
    editing.place(tile.id, cells)
    say(`${nameOf(tile)}: ${placeText(cells)}`)
  }
  return (
    <>
      {groups.map(({ key, tiles, title }) => (
        <div key={key}>
          {title === undefined ? null : <h2>{title}</h2>}
          <div class="tiles is-edited">
            {tiles.map((tile) => (
              <TileView
                key={tile.id}
                tile={tile}
                chart={chartOf(stored.value, tile)}
                config={configOf(tile)}
                asking={asking}
              >
                <TileTools
                  tile={tile}
                  onPlace={place(tile)}
                  onStart={editing.grip}
                  onEnd={editing.release}
                  onEdit={() => edit(tile)}
                  onRemove={() => {
                    draft.value = withoutTile(draft.value, tile.id)
                    say(`${nameOf(tile)} was removed`)
                  }}
                />
              </TileView>
            ))}
          </div>
        </div>
      ))}
    </>
  )
}

/** Edits a dashboard: nothing is stored before it is saved. */
export const Editor = ({ asking, onEnd, onSaved, stored }: EditorProps) => {
  const editing = useEditing(stored, onSaved)
  const edited = useSignal<Tile | undefined>(undefined)
  const said = useSignal("")
  const sources = usePoll(
    (signal) => (may("source:read") ? calls.source.list(undefined, { signal }) : Promise.resolve([])),
    undefined,
    []
  )
  const { base, draft, theirs } = editing
  const say = (text: string) => {
    said.value = text
  }
  const add = () => {
    edited.value = newTile(draft.value, sources.value.value?.[0]?.id ?? "", served.dialect)
  }
  const end = () => {
    editing.drop()
    theirs.value = undefined
    onEnd()
  }
  return (
    <>
      <Commands editing={editing} add={add} onEnd={onEnd} />
      <Names editing={editing} />
      <p class="quiet">
        Drag a tile by its handle ✥, and its corner for the size; or use the arrow keys on the handle, with Shift for
        the size.
      </p>
      <p class="hidden-label" role="status">
        {said.value}
      </p>
      {editing.failed.value === undefined ? null : <Failed failed={editing.failed.value} />}
      {tilesOf(draft.value).length === 0 ? <p class="quiet">There are no tiles yet.</p> : null}
      <Tiles
        editing={editing}
        stored={base.current}
        asking={asking}
        say={say}
        edit={(tile) => {
          edited.value = tile
        }}
      />
      {edited.value === undefined ? null : (
        <TileDialog
          stored={base.current.value}
          tile={edited.value}
          asking={asking}
          onDone={(tile) => {
            draft.value = withTile(draft.value, tile)
            edited.value = undefined
          }}
          onClose={() => {
            edited.value = undefined
          }}
        />
      )}
      {theirs.value === undefined ? null : (
        <Conflict
          base={base.current.value}
          mine={draft.value}
          theirs={theirs.value.value}
          save={editing.saveOver}
          onDrop={end}
          onClose={() => {
            theirs.value = undefined
          }}
        />
      )}
    </>
  )
}
