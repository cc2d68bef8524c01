import { useLayoutEffect, useRef } from "preact/hooks"
import type { ColumnRow } from "./columnRows.ts"
import { withColumn } from "./pipeRequest.ts"
import type { StepProps } from "./stepProps.ts"

interface CellProps {
  readonly label: string
  readonly value: string
  readonly error: string | undefined
  readonly isDisabled: boolean
  readonly onInput: (value: string) => void
}

const Cell = ({ error, isDisabled, label, onInput, value }: CellProps) => (
  <td>
    <input
      aria-label={error === undefined ? label : `${label}: ${error}`}
      aria-invalid={error === undefined ? undefined : true}
      autocomplete="off"
      spellcheck={false}
      disabled={isDisabled}
      value={value}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
    {error === undefined ? null : <p class="field-error">{error}</p>}
  </td>
)

interface RowProps {
  readonly row: ColumnRow
  readonly position: number
  /** The path of the column in the request. */
  readonly path: string
  readonly errors: StepProps["errors"]
  readonly onChange: (change: Partial<ColumnRow>) => void
  readonly onRemove: () => void
}

const Row = ({ errors, onChange, onRemove, path, position, row }: RowProps) => {
  const of = row.field ?? `column ${position + 1}`
  return (
    <tr>
      <th scope="row">{row.field ?? <span class="quiet">by its name</span>}</th>
      <Cell
        label={`Column of ${of}`}
        value={row.name}
        error={row.isLeftOut ? undefined : errors[`${path}.name`]}
        isDisabled={row.isLeftOut}
        onInput={(name) => onChange({ name })}
      />
      <Cell
        label={`Type of ${of}`}
        value={row.type}
        error={row.isLeftOut ? undefined : (errors[`${path}.type`] ?? errors[path])}
        isDisabled={row.isLeftOut}
        onInput={(type) => onChange({ type })}
      />
      <td>
        {row.field === undefined ? (
          <button type="button" onClick={onRemove}>
            Remove<span class="hidden-label"> {of}</span>
          </button>
        ) : (
          <label class="row">
            <input
              type="checkbox"
              checked={row.isLeftOut}
              onChange={(event) => onChange({ isLeftOut: event.currentTarget.checked })}
            />
            Leave out<span class="hidden-label"> {of}</span>
          </label>
        )}
      </td>
    </tr>
  )
}

/** Which field of the source goes to which column, with which type, and what is left out. */
export const ColumnTable = ({ draft, errors, onChange }: Omit<StepProps, "form">) => {
  const body = useRef<HTMLTableSectionElement>(null)
  const isAdded = useRef(false)
  useLayoutEffect(() => {
    if (!isAdded.current) return
    isAdded.current = false
    body.current?.querySelector<HTMLElement>("tr:last-child input")?.focus()
  })
  const { columns } = draft
  const add = () => {
    isAdded.current = true
    onChange({ ...draft, columns: [...columns, { field: undefined, name: "", type: "String", isLeftOut: false }] })
  }
  // The paths of the request count the columns that are not left out.
  const positions = columns.map((_, index) => columns.slice(0, index).filter(({ isLeftOut }) => !isLeftOut).length)
  const wrong = errors["destination.columns"] ?? errors["fieldMappings"]
  return (
    <>
      <h3>Columns</h3>
      {wrong === undefined ? null : (
        <p class="field-error" tabIndex={-1} data-wrong="">
          {wrong}
        </p>
      )}
      {columns.length === 0 ? null : (
        <div class="scrolled" role="region" aria-label="Columns" tabIndex={0}>
          <table class="plain columns">
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Column</th>
                <th scope="col">Type</th>
                <th scope="col">Change</th>
              </tr>
            </thead>
            <tbody ref={body}>
              {columns.map((row, index) => (
                <Row
                  key={row.field === undefined ? `added ${index}` : `field ${row.field}`}
                  row={row}
                  position={index}
                  path={`destination.columns[${positions[index]}]`}
                  errors={errors}
                  onChange={(change) => onChange(withColumn(draft, index, change))}
                  onRemove={() => onChange({ ...draft, columns: columns.toSpliced(index, 1) })}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p>
        <button type="button" onClick={add}>
          Add a column
        </button>
      </p>
    </>
  )
}
