import { Field } from "../../parts/Field.tsx"
import { SchemaFields } from "../../parts/schemaForm/SchemaFields.tsx"
import type { PipeForm } from "./pipeForm.ts"
import { isFirstOfSource, sourceKinds } from "./sourceKinds.ts"
import type { StepProps } from "./stepProps.ts"

/** The step that chooses the kind of source. */
export const SourceStep = ({ draft, errors, form, onChange }: StepProps) => {
  const choose = (kind: string) =>
    onChange({
      ...draft,
      kind,
      sources: { ...draft.sources, [kind]: draft.sources[kind] ?? sourceKinds[kind]?.preset }
    })
  return (
    <fieldset class="kinds" aria-describedby={errors["source"] === undefined ? undefined : "no-kind"}>
      <legend class="hidden-label">Kind of source</legend>
      {errors["source"] === undefined ? null : (
        <p id="no-kind" class="field-error">
          {errors["source"]}
        </p>
      )}
      {form.kinds.map(({ description, kind, title }) => (
        <div key={kind} class="kind">
          <input
            type="radio"
            name="kind"
            id={`kind-${kind}`}
            aria-describedby={`about-${kind}`}
            value={kind}
            checked={draft.kind === kind}
            data-wrong={errors["source"] === undefined ? undefined : ""}
            onChange={() => choose(kind)}
          />
          <div>
            <label for={`kind-${kind}`}>
              <strong>{title}</strong>
            </label>
            <p id={`about-${kind}`} class="quiet">
              {description}
            </p>
          </div>
        </div>
      ))}
    </fieldset>
  )
}

/** The step with the name of the pipe and the fields of its source. */
export const FieldsStep = ({ draft, errors, form, onChange }: StepProps & { readonly form: PipeForm }) => {
  const kind = form.kinds.find((one) => one.kind === draft.kind)
  if (kind === undefined) return null
  return (
    <>
      <Field label="Name of the pipe" help="1 to 255 characters." error={errors["name"]}>
        {(control) => (
          <input
            {...control}
            autocomplete="off"
            maxLength={255}
            value={draft.name}
            onInput={(event) => onChange({ ...draft, name: event.currentTarget.value })}
          />
        )}
      </Field>
      <SchemaFields
        key={draft.kind}
        node={kind.node}
        draft={draft.sources[draft.kind]}
        path={`source.${draft.kind}`}
        errors={errors}
        isFirst={(path) => isFirstOfSource(draft.kind, path)}
        onChange={(source) => onChange({ ...draft, sources: { ...draft.sources, [draft.kind]: source } })}
      />
      <p class="quiet">
        Secrets are kept in this page until it is left, and in no storage. No answer of the server has them.
      </p>
    </>
  )
}
