import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { asFailed, type CallFailed } from "../data/CallFailed.ts"
import { noteUnseen } from "../data/unseen.ts"
import { Failed } from "./Conditions.tsx"
import { Dialog } from "./Dialog.tsx"

interface ActionProps {
  readonly title: string
  /** The text of the button that does it, such as `Stop`. */
  readonly verb: string
  readonly isDangerous?: boolean
  /** Whether the button can be used; true by default. */
  readonly isReady?: boolean
  readonly run: () => Promise<unknown>
  readonly onClose: () => void
  /** What will happen, and the fields that it wants. */
  readonly children: ComponentChildren
}

/**
 * A dialog that says what will happen and does it. It closes when it is done, and stays with the reason when it fails. If it is closed
 * before, it does not touch what was opened since, and the page tells a failure.
 */
export const Action = ({ children, isDangerous = false, isReady = true, onClose, run, title, verb }: ActionProps) => {
  const isRunning = useSignal(false)
  const failed = useSignal<CallFailed | undefined>(undefined)
  const isOpen = useRef(true)
  const leave = () => {
    isOpen.current = false
  }
  useEffect(() => leave, [])
  // At once, not only when the page is drawn without the dialog: the request may fail in between.
  const close = () => {
    leave()
    onClose()
  }
  const submit = async () => {
    if (isRunning.value || !isReady) return
    isRunning.value = true
    failed.value = undefined
    try {
      await run()
      if (isOpen.current) close()
    } catch (error) {
      const reason = asFailed(error)
      failed.value = reason
      if (!isOpen.current) noteUnseen(title, reason)
    } finally {
      isRunning.value = false
    }
  }
  return (
    <Dialog title={title} onClose={close}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        {children}
        {failed.value === undefined ? null : <Failed failed={failed.value} />}
        <div class="row dialog-buttons">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" class={isDangerous ? "danger" : "primary"} disabled={!isReady || isRunning.value}>
            {isRunning.value ? `${verb} …` : verb}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
