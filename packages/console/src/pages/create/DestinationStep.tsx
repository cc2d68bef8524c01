import { useRef } from "preact/hooks"
import { SchemaFields } from "../../parts/schemaForm/SchemaFields.tsx"
import { ColumnTable } from "./ColumnTable.tsx"
import { keptRows } from "./columnRows.ts"
import { destinationOf, isFirstOfDestination } from "./pipeForm.ts"
import { hasFields } from "./pipeRequest.ts"
import type { StepProps } from "./stepProps.ts"

const never = () => false

/** The step with the table that the pipe writes to, its columns, and the options of the pipe. */
export const DestinationStep = ({ draft, errors, form, onChange }: StepProps) => {
  const isColumns = hasFields(draft.kind)
  const names = keptRows(draft.columns).map(({ name }) => name)
  const isWrongBelow = Object.keys(errors).some((path) => !path.startsWith("destination"))
  const wasOpen = useRef(false)
  wasOpen.current ||= isWrongBelow
  return (
    <>
      {isColumns ? (
        <ColumnTable draft={draft} errors={errors} onChange={onChange} />
      ) : (
        <p>The tables are those of the source: each has the name of its target table.</p>
      )}
      <h3>Table</h3>
      <SchemaFields
        node={destinationOf(form, isColumns, names)}
        draft={draft.destination}
        path="destination"
        errors={errors}
        isFirst={isFirstOfDestination}
        onChange={(destination) => onChange({ ...draft, destination })}
      />
      <details class="more" open={wasOpen.current}>
        <summary>Size, settings and start of the pipe</summary>
        <SchemaFields
          node={form.options}
          draft={draft.options}
          path=""
          errors={errors}
          isFirst={never}
          onChange={(options) => onChange({ ...draft, options })}
        />
      </details>
    </>
  )
}
