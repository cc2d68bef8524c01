import { Field } from "../../parts/Field.tsx"
import { aggregations, hasOneValue, newValue, type TileForm, type Value } from "./tileForm.ts"

interface ValueProps {
  readonly value: Value
  readonly title: string
  readonly set: (fields: Partial<Value>) => void
  readonly onRemove: (() => void) | undefined
}

const levels = ["0.5", "0.9", "0.95", "0.99"] as const

const ValueFields = ({ onRemove, set, title, value }: ValueProps) => (
  <fieldset class="value-fields">
    <legend>{title}</legend>
    <Field label="Of the rows">
      {(control) => (
        <select {...control} value={value.aggFn} onChange={({ currentTarget }) => set({ aggFn: currentTarget.value })}>
          {Array.from(new Set([...aggregations, value.aggFn])).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
    {value.aggFn === "quantile" ? (
      <Field label="Quantile">
        {(control) => (
          <select
            {...control}
            value={value.level}
            onChange={({ currentTarget }) => set({ level: currentTarget.value })}
          >
            {Array.from(new Set([...levels, value.level])).map((level) => (
              <option key={level} value={level}>
                {level}
              </option>
            ))}
          </select>
        )}
      </Field>
    ) : null}
    {value.aggFn === "count" ? null : (
      <Field label="Column or expression">
        {(control) => (
          <input
            {...control}
            autocomplete="off"
            value={value.expression}
            onInput={({ currentTarget }) => set({ expression: currentTarget.value })}
          />
        )}
      </Field>
    )}
    <Field label="Name in the chart">
      {(control) => (
        <input
          {...control}
          autocomplete="off"
          value={value.alias}
          onInput={({ currentTarget }) => set({ alias: currentTarget.value })}
        />
      )}
    </Field>
    <Field label={`Only rows where (${value.whereLanguage})`}>
      {(control) => (
        <input
          {...control}
          autocomplete="off"
          value={value.where}
          onInput={({ currentTarget }) => set({ where: currentTarget.value })}
        />
      )}
    </Field>
    {onRemove === undefined ? null : (
      <button type="button" onClick={onRemove}>
        Remove<span class="hidden-label"> {title}</span>
      </button>
    )}
  </fieldset>
)

interface ValuesProps {
  readonly form: TileForm
  readonly change: (fields: Partial<TileForm>) => void
}

/** The values of a tile: one, or several where its display type draws them. */
export const Values = ({ change, form }: ValuesProps) => {
  const { displayType, values } = form
  const shown = hasOneValue(displayType) ? values.slice(0, 1) : values
  return (
    <>
      {shown.map((value, index) => (
        <ValueFields
          key={index}
          value={value}
          title={shown.length === 1 ? "Value" : `Value ${index + 1}`}
          set={(fields) => change({ values: values.map((one, at) => (at === index ? { ...one, ...fields } : one)) })}
          onRemove={
            shown.length === 1
              ? undefined
              : () => change({ values: values.filter((_, position) => position !== index) })
          }
        />
      ))}
      {hasOneValue(displayType) ? null : (
        <button type="button" onClick={() => change({ values: [...values, newValue] })}>
          Add a value
        </button>
      )}
    </>
  )
}
