import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"

interface FieldGroupProps {
  readonly label: string
  readonly help?: string | undefined
  readonly error: string | undefined
  readonly children: ComponentChildren
}

/** A group of fields with a name, its help and what is wrong with it as a whole. */
export const FieldGroup = ({ children, error, help, label }: FieldGroupProps) => {
  const id = useId()
  return (
    <fieldset class="field-group" aria-describedby={error === undefined ? undefined : id}>
      <legend>{label}</legend>
      {help === undefined || help === "" ? null : <p class="quiet">{help}</p>}
      {error === undefined ? null : (
        <p id={id} class="field-error" tabIndex={-1} data-wrong="">
          {error}
        </p>
      )}
      {children}
    </fieldset>
  )
}
