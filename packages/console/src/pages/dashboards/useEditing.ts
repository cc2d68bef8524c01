import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { asFailed, type CallFailed } from "../../data/CallFailed.ts"
import { calls } from "../../data/calls.ts"
import { guardLeaving } from "../../data/route.ts"
import { isSame, moved, requestOfDraft } from "./edit.ts"
import type { Cells } from "./grid.ts"
import type { Dashboard } from "./tile.ts"

/** A dashboard and its version. */
export interface Versioned {
  readonly value: Dashboard
  readonly etag: string | undefined
}

const question = "The dashboard has changes that are not saved. Leave it without them?"

/** Asks before the page is left with changes that are not saved: to another page, another site, or by closing the tab. */
const useGuard = (isChanged: () => boolean) => {
  useEffect(() => {
    const release = guardLeaving(() => !isChanged() || window.confirm(question))
    const onUnload = (event: BeforeUnloadEvent) => {
      if (isChanged()) event.preventDefault()
    }
    addEventListener("beforeunload", onUnload)
    return () => {
      release()
      removeEventListener("beforeunload", onUnload)
    }
  }, [])
}

/** The draft of a dashboard, what it was made of, and its saving. `onSaved` gets the answer of the service. */
export const useEditing = (stored: Versioned, onSaved: (saved: Versioned) => void) => {
  const base = useRef(stored)
  const draft = useSignal(stored.value)
  const theirs = useSignal<Versioned | undefined>(undefined)
  const failed = useSignal<CallFailed | undefined>(undefined)
  const isSaving = useSignal(false)
  /** How the tiles were when a pointer began to move one. */
  const start = useRef<Dashboard>(undefined)
  const isChanged = () => !isSame(draft.peek(), base.current.value)
  useGuard(isChanged)

  const put = async (dashboard: Dashboard, ifMatch: string | undefined) => {
    const request = { ...requestOfDraft(dashboard), id: stored.value.id }
    const saved = await calls.dashboard.update.versioned(request as never, { ifMatch })
    base.current = saved
    draft.value = saved.value
    theirs.value = undefined
    onSaved(saved)
  }

  const save = async () => {
    if (isSaving.value) return
    isSaving.value = true
    failed.value = undefined
    try {
      await put(draft.value, base.current.etag)
    } catch (error) {
      const why = asFailed(error)
      failed.value = why
      if (why.failure === "changed") {
        theirs.value = await calls.dashboard.get.versioned({ id: stored.value.id }).catch(() => undefined)
        if (theirs.value !== undefined) failed.value = undefined
      }
    } finally {
      isSaving.value = false
    }
  }

  return {
    base,
    draft,
    theirs,
    failed,
    isSaving,
    isChanged,
    save,
    /** Saves on top of the version that the other person has saved. */
    saveOver: (dashboard: Dashboard) => put(dashboard, theirs.peek()?.etag),
    /** Forgets the changes. */
    drop: () => {
      draft.value = base.current.value
    },
    place: (id: string, place: Cells) => {
      draft.value = moved(start.current ?? draft.value, id, place)
    },
    grip: () => {
      start.current = draft.value
    },
    release: (isKept: boolean) => {
      if (!isKept && start.current !== undefined) draft.value = start.current
      start.current = undefined
    }
  }
}
