import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef } from "preact/hooks"

interface DialogProps {
  readonly title: string
  /** Absent for a dialog that only its content can end. */
  readonly onClose?: () => void
  readonly children: ComponentChildren
}

/** A modal dialog. Escape closes it, and the focus returns to where it was. */
export const Dialog = ({ children, onClose, title }: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => {
    const opener = document.activeElement
    element.current?.showModal()
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  return (
    <dialog
      ref={element}
      aria-labelledby={heading}
      onCancel={(event) => {
        if (onClose === undefined) event.preventDefault()
      }}
      // A browser closes a dialog at the second Escape, whatever the page says.
      onClose={() => (onClose === undefined ? element.current?.showModal() : onClose())}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  )
}
