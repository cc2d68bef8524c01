import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"

/** The attributes that tie a control to its label, its help and its error. */
export interface ControlProps {
  readonly id: string
  readonly "aria-describedby": string | undefined
  readonly "aria-invalid": true | undefined
}

interface FieldProps {
  readonly label: string
  /** What the field means: its unit, its default. */
  readonly help?: string | undefined
  /** What is wrong with it. */
  readonly error?: string | undefined
  readonly children: (control: ControlProps) => ComponentChildren
}

/** A control with its label, its help and its error. */
export const Field = ({ children, error, help, label }: FieldProps) => {
  const id = useId()
  const describedBy = [help === undefined ? "" : `${id}-help`, error === undefined ? "" : `${id}-error`]
    .filter((name) => name !== "")
    .join(" ")
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        "aria-describedby": describedBy === "" ? undefined : describedBy,
        "aria-invalid": error === undefined ? undefined : true
      })}
      {help === undefined ? null : (
        <p id={`${id}-help`} class="quiet">
          {help}
        </p>
      )}
      {error === undefined ? null : (
        <p id={`${id}-error`} class="field-error">
          {error}
        </p>
      )}
    </div>
  )
}
