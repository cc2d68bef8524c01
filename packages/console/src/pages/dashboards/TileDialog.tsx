import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { calls } from "../../data/calls.ts"
import { usePoll } from "../../data/poll.ts"
import { served } from "../../data/server.ts"
import { may } from "../../data/session.ts"
import { Dialog } from "../../parts/Dialog.tsx"
import { Field } from "../../parts/Field.tsx"
import { chartOf, configOf } from "./edit.ts"
import type { Dashboard, Tile } from "./tile.ts"
import { type Asking, TileBody } from "./TileBody.tsx"
import {
  chartJson,
  displayTypes,
  formOf,
  hasGroups,
  hasValues,
  type TileForm,
  typesFor,
  withChartJson,
  withForm
} from "./tileForm.ts"
import { Values } from "./ValueFields.tsx"

interface TextProps {
  readonly label: string
  readonly help?: string
  readonly value: string
  readonly set: (value: string) => void
  readonly rows?: number
  readonly error?: string | undefined
}

const Text = ({ error, help, label, rows, set, value }: TextProps) => (
  <Field label={label} help={help} error={error}>
    {(control) =>
      rows === undefined ? (
        <input
          {...control}
          autocomplete="off"
          value={value}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      ) : (
        <textarea
          {...control}
          rows={rows}
          spellcheck={false}
          value={value}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      )
    }
  </Field>
)

interface FormProps {
  readonly form: TileForm
  readonly change: (fields: Partial<TileForm>) => void
}

const Source = ({ change, form }: FormProps) => {
  const poll = usePoll((signal) => calls.source.list(undefined, { signal }), undefined, [])
  const sources = poll.value.value ?? []
  const isListed = sources.some(({ id }) => id === form.sourceId)
  if (!may("source:read")) {
    return <Text label="Id of the source" value={form.sourceId} set={(sourceId) => change({ sourceId })} />
  }
  return (
    <Field label="Source" help="The table whose rows are shown.">
      {(control) => (
        <select
          {...control}
          value={form.sourceId}
          onChange={({ currentTarget }) => change({ sourceId: currentTarget.value })}
        >
          {isListed ? null : <option value={form.sourceId}>{form.sourceId === "" ? "None" : form.sourceId}</option>}
          {sources.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** The common fields of a tile. */
const Fields = ({ change, form, types }: FormProps & { readonly types: ReadonlyArray<string> }) => {
  const { columns, displayType, groupBy, markdown, name, where, whereLanguage } = form
  return (
    <>
      <Text label="Name" value={name} set={(name) => change({ name })} />
      <Field label="Drawn as">
        {(control) => (
          <select
            {...control}
            value={displayType}
            onChange={({ currentTarget }) => change({ displayType: currentTarget.value })}
          >
            {types.includes(displayType) ? null : <option value={displayType}>{displayType || "None"}</option>}
            {types.map((type) => (
              <option key={type} value={type}>
                {displayTypes.get(type)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {displayType === "markdown" ? (
        <Text label="Text, in Markdown" rows={8} value={markdown} set={(markdown) => change({ markdown })} />
      ) : (
        <Source form={form} change={change} />
      )}
      {hasValues(displayType) ? <Values form={form} change={change} /> : null}
      {hasGroups(displayType) ? (
        <Text
          label="By"
          help="Columns or expressions, separated by commas. Empty: all rows together."
          value={groupBy}
          set={(groupBy) => change({ groupBy })}
        />
      ) : null}
      {displayType === "search" ? (
        <>
          <Text label="Columns" help="Separated by commas." value={columns} set={(columns) => change({ columns })} />
          <Text label={`Only rows where (${whereLanguage})`} value={where} set={(where) => change({ where })} />
        </>
      ) : null}
    </>
  )
}

// How long nothing must have been typed, in milliseconds.
const quiet = 600

/** A value as it was when it did not change for a while. */
const useQuiet = <A,>(value: A, key: string): A => {
  const settled = useSignal(value)
  useEffect(() => {
    const timer = setTimeout(() => (settled.value = value), quiet)
    return () => clearTimeout(timer)
  }, [key])
  return settled.value
}

interface TileDialogProps {
  readonly stored: Dashboard
  readonly tile: Tile
  readonly asking: Asking
  readonly onDone: (tile: Tile) => void
  readonly onClose: () => void
}

/** Edits a tile: its common fields, all of its chart as JSON, and what it will show. */
export const TileDialog = ({ asking, onClose, onDone, stored, tile: first }: TileDialogProps) => {
  const tile = useSignal(first)
  const json = useSignal<string | undefined>(undefined)
  const error = useSignal<string | undefined>(undefined)
  const form = formOf(tile.value)
  const change = (fields: Partial<TileForm>) => {
    tile.value = withForm(tile.value, { ...form, ...fields })
    json.value = undefined
    error.value = undefined
  }
  const write = (text: string) => {
    json.value = text
    const read = withChartJson(tile.value, text)
    if ("tile" in read) tile.value = read.tile
    error.value = "error" in read ? read.error : undefined
  }
  const shown = useQuiet(tile.value, JSON.stringify(tile.value))
  return (
    <Dialog title={`Edit ${form.name}`} onClose={onClose}>
      <form
        noValidate
        class="tile-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (error.value === undefined) onDone(tile.value)
        }}
      >
        <div>
          <Fields form={form} change={change} types={typesFor(tile.value, served.dialect)} />
          <details>
            <summary>All of the chart, as JSON</summary>
            <Text
              label="Chart"
              help="Formats, colours, formulas and limits are in docs/dashboards.md and in the reference of the API."
              rows={14}
              value={json.value ?? chartJson(tile.value)}
              set={write}
              error={error.value}
            />
          </details>
        </div>
        <section aria-label="Preview" class="tile tile-preview" style={{ "--rows": "5" }}>
          <div class="tile-body" tabIndex={0} role="group" aria-label="Preview">
            <TileBody tile={shown} chart={chartOf(stored, shown)} config={configOf(shown)} asking={asking} isSeen />
          </div>
        </section>
        <div class="row dialog-buttons">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={error.value !== undefined}>
            Apply
          </button>
        </div>
      </form>
    </Dialog>
  )
}
