import { useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { CallFailed } from "../../data/CallFailed.ts"
import { now } from "../../data/clock.ts"
import { Action } from "../../parts/Action.tsx"
import { Field } from "../../parts/Field.tsx"
import { makeKeyCreation } from "./creation.ts"
import type { Credentials } from "./credentials.ts"
import { emptyForm, issuesOf, type KeyForm, requestOf, roles } from "./keyModel.ts"

interface NewKeyProps {
  readonly organizationId: string
  readonly onCreated: (credentials: Credentials) => void
  readonly onClose: () => void
}

/** The dialog that makes a key: its credentials are made here, and only their hashes are sent. */
export const NewKey = ({ onClose, onCreated, organizationId }: NewKeyProps) => {
  const form = useSignal<KeyForm>(emptyForm)
  const isChecked = useSignal(false)
  const creation = useMemo(() => makeKeyCreation(organizationId, () => requestOf(form.value, now())), [organizationId])
  const issues = issuesOf(form.value)
  const shown = isChecked.value ? issues : {}
  const change = (fields: Partial<KeyForm>) => {
    form.value = { ...form.value, ...fields }
    creation.reset()
  }
  const create = async () => {
    isChecked.value = true
    if (Object.keys(issues).length > 0) throw new CallFailed("Some fields are wrong.", { status: 400 })
    onCreated(await creation.send())
  }
  return (
    <Action title="New key" verb="Create" run={create} onClose={onClose}>
      <Field label="Name" error={shown.name}>
        {(control) => (
          <input
            {...control}
            value={form.value.name}
            maxLength={255}
            autocomplete="off"
            onInput={(event) => change({ name: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label="Role" help={roles.find(({ role }) => role === form.value.role)?.grants}>
        {(control) => (
          <select
            {...control}
            value={form.value.role}
            onChange={({ currentTarget }) => {
              const chosen = roles.find(({ role }) => role === currentTarget.value)
              if (chosen !== undefined) change({ role: chosen.role })
            }}
          >
            {roles.map(({ role }) => (
              <option key={role}>{role}</option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Expires after days" help="Empty: it never expires." error={shown.days}>
        {(control) => (
          <input
            {...control}
            value={form.value.days}
            inputMode="numeric"
            onInput={(event) => change({ days: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field
        label="Addresses that may use it"
        help="One address or block a line, such as 192.0.2.0/24. Empty: any address."
      >
        {(control) => (
          <textarea
            {...control}
            rows={3}
            value={form.value.addresses}
            onInput={(event) => change({ addresses: event.currentTarget.value })}
          />
        )}
      </Field>
      <p class="quiet">
        The credentials are made in this browser. Only their hashes are sent, and nobody can read them later.
      </p>
    </Action>
  )
}
