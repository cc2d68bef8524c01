import { useRef } from "preact/hooks"
import { CallFailed } from "../../data/CallFailed.ts"
import { Action } from "../../parts/Action.tsx"
import type { Document, DocumentKind } from "./documentKinds.ts"

interface DeleteDialogProps {
  readonly kind: DocumentKind
  readonly document: Document
  /** What names it, such as sources of a connection. */
  readonly users: ReadonlyArray<string>
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Deletes the version that was read. One that is gone is deleted. */
export const DeleteDialog = ({ document, kind, onClose, onDone, users }: DeleteDialogProps) => {
  const seen = useRef<Promise<{ readonly etag: string | undefined }> | undefined>(undefined)
  const run = async () => {
    seen.current ??= kind.read(document.id)
    try {
      const { etag } = await seen.current
      await kind.remove(document.id, etag)
    } catch (error) {
      seen.current = undefined
      if (!(error instanceof CallFailed) || error.failure !== "notFound") throw error
    }
    onDone()
  }
  return (
    <Action title={`Delete ${document.name}`} verb="Delete" isDangerous run={run} onClose={onClose}>
      <p>
        The {kind.one} is deleted for good. The database and its rows stay. Whatever names it fails until it names
        another one{kind.one === "source" ? ": the tiles of dashboards" : ""}.
      </p>
      {users.length === 0 ? null : (
        <p>
          Sources that name it: <bdi>{users.join(", ")}</bdi>.
        </p>
      )}
    </Action>
  )
}
