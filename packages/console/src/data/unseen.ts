import { signal } from "@preact/signals"
import type { CallFailed } from "./CallFailed.ts"

/** A command that failed after its dialog was closed: nobody saw it there. */
interface Unseen {
  /** The title of the dialog, such as `Stop orders`. */
  readonly title: string
  readonly failed: CallFailed
}

/** The last of them, until it is dismissed. */
export const unseen = signal<Unseen | undefined>(undefined)

/** Notes a failure that no dialog shows. */
export const noteUnseen = (title: string, failed: CallFailed): void => {
  unseen.value = { title, failed }
}

/** Forgets it. */
export const dismissUnseen = (): void => {
  unseen.value = undefined
}
