import { useSignal } from "@preact/signals"
import { asFailed, type CallFailed } from "../../data/CallFailed.ts"
import { isKept, signIn } from "../../data/session.ts"
import { link, openWithKey } from "../../data/signIn.ts"
import { type ControlProps, Field } from "../../parts/Field.tsx"
import { unstored } from "../../parts/unstored.ts"
import { adviceOf } from "./advice.ts"

interface TextProps {
  readonly label: string
  readonly help?: string
  readonly value: { value: string }
  readonly isSecret?: boolean
  /** Whether it gets the focus in a dialog. */
  readonly isFirst?: boolean
}

const Text = ({ help, isFirst = false, isSecret = false, label, value }: TextProps) => (
  <Field label={label} help={help}>
    {(control: ControlProps) => (
      <input
        {...control}
        {...unstored}
        {...(isSecret ? { type: "password" as const } : { type: "text" as const })}
        required
        autofocus={isFirst}
        value={value.value}
        onInput={(event) => {
          value.value = event.currentTarget.value
        }}
      />
    )}
  </Field>
)

/** Signs in with a key. Its secret is forgotten as soon as the server has answered. */
export const KeyForm = ({ organizationId = "" }: { readonly organizationId?: string | undefined }) => {
  const organization = useSignal(organizationId)
  const keyId = useSignal("")
  const secret = useSignal("")
  const keep = useSignal(isKept.value)
  const isBusy = useSignal(false)
  const failed = useSignal<CallFailed | undefined>(undefined)
  const submit = async () => {
    if (isBusy.value) return
    isBusy.value = true
    failed.value = undefined
    try {
      const opened = await openWithKey(organization.value.trim(), keyId.value.trim(), secret.value.trim())
      link.value = "none"
      secret.value = ""
      signIn(opened, keep.value)
    } catch (error) {
      const failure = asFailed(error)
      failed.value = failure
      // Only what never arrived is sent again as it was.
      if (failure.failure !== "unreachable" && failure.failure !== "tooMany") secret.value = ""
    } finally {
      isBusy.value = false
    }
  }
  return (
    <form
      class="key-form"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Text label="Organization id" value={organization} />
      <Text label="Key id" value={keyId} isFirst={organizationId !== ""} />
      <Text label="Key secret" value={secret} isSecret help="It is sent once, and not kept." />
      <label class="row">
        <input type="checkbox" checked={keep.value} onChange={(event) => (keep.value = event.currentTarget.checked)} />
        Keep me signed in in this tab
      </label>
      {failed.value === undefined ? null : (
        <p class="failed" role="alert">
          {adviceOf(failed.value, "key")}
          {failed.value.requestId === undefined ? null : <small> Request {failed.value.requestId}</small>}
        </p>
      )}
      <button type="submit" class="primary" disabled={isBusy.value}>
        {isBusy.value ? "Signing in …" : "Sign in"}
      </button>
    </form>
  )
}
