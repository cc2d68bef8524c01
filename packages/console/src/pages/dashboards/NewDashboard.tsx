import { useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"
import { calls } from "../../data/calls.ts"
import { makeKeyOfRequest } from "../../data/idempotencyKey.ts"
import { pathOf, paths } from "../../data/paths.ts"
import { go } from "../../data/route.ts"
import { Action } from "../../parts/Action.tsx"
import { Field } from "../../parts/Field.tsx"

interface NewDashboardProps {
  readonly organizationId: string
  readonly serviceId: string
  readonly onClose: () => void
}

/** Creates a dashboard without tiles, and opens it for editing. */
export const NewDashboard = ({ onClose, organizationId, serviceId }: NewDashboardProps) => {
  const name = useSignal("")
  const keyOf = useRef(makeKeyOfRequest())
  const run = async () => {
    const request = { name: name.value.trim(), tiles: [], tags: [] }
    const { id } = await calls.dashboard.create(request, { idempotencyKey: keyOf.current(request) })
    go(`${pathOf(paths.dashboard, { organizationId, serviceId, dashboardId: id })}?edit=on`)
  }
  return (
    <Action title="New dashboard" verb="Create" isReady={name.value.trim() !== ""} run={run} onClose={onClose}>
      <p>A dashboard without tiles is created. It opens for editing, and its tiles are added there.</p>
      <Field label="Name">
        {(control) => (
          <input
            {...control}
            autocomplete="off"
            value={name.value}
            onInput={({ currentTarget }) => (name.value = currentTarget.value)}
          />
        )}
      </Field>
    </Action>
  )
}
