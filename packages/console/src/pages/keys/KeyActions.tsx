import type { ApiKey } from "@headgate/client"
import { useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { messageOf } from "../../data/CallFailed.ts"
import { calls } from "../../data/calls.ts"
import { now } from "../../data/clock.ts"
import { ago } from "../../format/times.ts"
import { Action } from "../../parts/Action.tsx"
import { DeleteAction } from "../../parts/DeleteAction.tsx"
import { Field } from "../../parts/Field.tsx"
import { makeKeyCreation } from "./creation.ts"
import type { Credentials } from "./credentials.ts"
import { endOfOverlap, successorOf } from "./keyModel.ts"

interface KeyActionProps {
  readonly organizationId: string
  readonly apiKey: ApiKey
  readonly onDone: () => void
  readonly onClose: () => void
}

interface RotateProps extends KeyActionProps {
  readonly onCreated: (credentials: Credentials, warning: string | undefined) => void
}

const usedText = ({ usedAt }: ApiKey): string =>
  typeof usedAt === "string" ? `It was last used ${ago(usedAt, now())}.` : "It was never used."

/** The dialog that makes a key with the rights of another, which then expires. */
export const RotateKey = ({ apiKey, onClose, onCreated, onDone, organizationId }: RotateProps) => {
  const hours = useSignal("24")
  const creation = useMemo(() => makeKeyCreation(organizationId, () => successorOf(apiKey, now())), [])
  const isHours = /^\d{1,4}$/.test(hours.value)
  const rotate = async () => {
    const credentials = await creation.send()
    const expireAt = endOfOverlap(apiKey, now(), Number(hours.value))
    // The new credentials exist now: they are shown even if the old key could not be changed.
    const failed =
      expireAt === undefined
        ? undefined
        : await calls.key.update({ organizationId, keyId: apiKey.id, expireAt }).then(() => undefined, messageOf)
    onCreated(
      credentials,
      failed === undefined
        ? undefined
        : `The old key ${apiKey.name} still works as before: ${failed} Disable it by hand.`
    )
    onDone()
  }
  return (
    <Action title={`Rotate ${apiKey.name}`} verb="Rotate" isReady={isHours} run={rotate} onClose={onClose}>
      <p>
        A new key with the same name, roles and addresses is made. The old one still works for the hours below, so that
        nothing that uses it stops; then it expires.
      </p>
      <Field
        label="Hours that the old key still works"
        help="At least as long as it takes to replace it everywhere."
        error={isHours ? undefined : "A whole number of hours"}
      >
        {(control) => (
          <input
            {...control}
            inputMode="numeric"
            value={hours.value}
            onInput={(event) => {
              hours.value = event.currentTarget.value.trim()
            }}
          />
        )}
      </Field>
    </Action>
  )
}

/** The dialog that enables or disables a key. */
export const SwitchKey = ({ apiKey, onClose, onDone, organizationId }: KeyActionProps) => {
  const isDisabled = apiKey.state === "disabled"
  const change = async () => {
    await calls.key.update({ organizationId, keyId: apiKey.id, state: isDisabled ? "enabled" : "disabled" })
    onDone()
  }
  return (
    <Action
      title={`${isDisabled ? "Enable" : "Disable"} ${apiKey.name}`}
      verb={isDisabled ? "Enable" : "Disable"}
      isDangerous={!isDisabled}
      run={change}
      onClose={onClose}
    >
      <p>
        {isDisabled
          ? "Requests with it are accepted again at once."
          : `Requests with it are refused at once, and its sessions of the console end. It can be enabled again. ${usedText(apiKey)}`}
      </p>
    </Action>
  )
}

/** The dialog that deletes a key, once its name was typed. */
export const DeleteKey = ({ apiKey, onClose, onDone, organizationId }: KeyActionProps) => {
  const remove = async () => {
    await calls.key.delete({ organizationId, keyId: apiKey.id })
    onDone()
  }
  return (
    <DeleteAction name={apiKey.name} run={remove} onClose={onClose}>
      <p>Requests with it are refused at once. This cannot be undone. {usedText(apiKey)}</p>
    </DeleteAction>
  )
}
