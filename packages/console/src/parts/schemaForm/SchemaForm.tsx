import { Field } from "../Field.tsx"
import type { Draft, FormField } from "./formModel.ts"

interface SchemaFormProps {
  readonly fields: ReadonlyArray<FormField>
  readonly draft: Draft
  readonly onChange: (draft: Draft) => void
  /** What is wrong, by the names of fields. */
  readonly errors: Readonly<Record<string, string>>
}

/** The fields of a request, as its JSON Schema describes them. */
export const SchemaForm = ({ draft, errors, fields, onChange }: SchemaFormProps) => {
  const set = (name: string, value: string) => onChange({ ...draft, [name]: value })
  return (
    <>
      {fields.map((field) => (
        <Field key={field.name} label={field.label} help={field.help} error={errors[field.name]}>
          {(control) =>
            field.kind === "boolean" || field.kind === "choice" ? (
              <select
                {...control}
                value={draft[field.name] ?? ""}
                onChange={(event) => set(field.name, event.currentTarget.value)}
              >
                <option value="">{field.isRequired ? "Choose" : "Default"}</option>
                {(field.kind === "boolean" ? ["true", "false"] : (field.choices ?? [])).map((choice) => (
                  <option key={choice} value={choice}>
                    {field.kind === "choice" ? choice : choice === "true" ? "Yes" : "No"}
                  </option>
                ))}
              </select>
            ) : (
              <input
                {...control}
                inputMode={field.kind === "text" ? "text" : "decimal"}
                autocomplete="off"
                value={draft[field.name] ?? ""}
                onInput={(event) => set(field.name, event.currentTarget.value)}
              />
            )
          }
        </Field>
      ))}
    </>
  )
}
