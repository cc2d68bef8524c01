import { Copied } from "../../parts/Copy.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import type { Credentials } from "./credentials.ts"

interface ShownOnceProps {
  readonly credentials: Credentials
  readonly warning: string | undefined
  readonly onClose: () => void
}

/** The credentials of a new key. They are gone when the dialog is closed, so Escape does not close it. */
export const ShownOnce = ({ credentials: { keyId, keySecret }, onClose, warning }: ShownOnceProps) => (
  <Dialog title="The new key">
    {warning === undefined ? null : (
      <p class="failed" role="alert">
        {warning}
      </p>
    )}
    <p>Copy both now: they are shown once, and nobody can read them later.</p>
    <h3>Key ID</h3>
    <Copied of="key ID" text={keyId} />
    <h3>Key secret</h3>
    <Copied of="key secret" text={keySecret} />
    <div class="row dialog-buttons">
      <button type="button" class="primary" onClick={onClose}>
        Done
      </button>
    </div>
  </Dialog>
)
