/** A key of the keyboard, or two after one another such as `g p`, and what it does. */
export interface Shortcut {
  readonly keys: string
  readonly title: string
  readonly run: () => void
}

/** How long the first of two keys waits for the second, in milliseconds. */
const pause = 1500

/** Finds the shortcut that a key ends. `at` is the time of the key, in milliseconds. */
export const makeSequence = () => {
  let first: { readonly key: string; readonly at: number } | undefined
  return (key: string, at: number, shortcuts: ReadonlyArray<Shortcut>): Shortcut | undefined => {
    const typed = first !== undefined && at - first.at <= pause ? `${first.key} ${key}` : key
    const found = shortcuts.find(({ keys }) => keys === typed) ?? shortcuts.find(({ keys }) => keys === key)
    first = found === undefined ? { key, at } : undefined
    return found
  }
}
