import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { Action } from "./Action.tsx"
import { Field } from "./Field.tsx"

interface DeleteActionProps {
  /** The name of what is deleted, which is typed first. */
  readonly name: string
  readonly run: () => Promise<unknown>
  readonly onClose: () => void
  /** What goes with it, and what stays. */
  readonly children: ComponentChildren
}

/** A dialog that deletes what nobody can bring back, once its name was typed. */
export const DeleteAction = ({ children, name, onClose, run }: DeleteActionProps) => {
  const typed = useSignal("")
  return (
    <Action
      title={`Delete ${name}`}
      verb="Delete"
      isDangerous
      isReady={typed.value === name}
      run={run}
      onClose={onClose}
    >
      {children}
      <Field label={`Type ${name} to delete it`}>
        {(control) => (
          <input
            {...control}
            autocomplete="off"
            value={typed.value}
            onInput={(event) => {
              typed.value = event.currentTarget.value
            }}
          />
        )}
      </Field>
    </Action>
  )
}
