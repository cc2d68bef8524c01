import { signal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { go } from "../../data/route.ts"
import { makeSequence, type Shortcut } from "../../data/sequence.ts"
import type { MenuItem } from "./menu.ts"

const storageKey = "headgate-keys"

const read = (): boolean => {
  try {
    return localStorage.getItem(storageKey) !== "off"
  } catch {
    return true
  }
}

/** Whether single keys do something: people who use speech input turn them off. */
export const areKeysOn = signal(read())

/** Turns single keys on or off, in this browser. */
export const turnKeys = (isOn: boolean): void => {
  areKeysOn.value = isOn
  try {
    localStorage.setItem(storageKey, isOn ? "on" : "off")
  } catch {
    // The browser keeps nothing: it counts until the page is left.
  }
}

const focusFilter = () => document.querySelector<HTMLInputElement>("main input[type=search]")?.focus()

/** The keys of every page: those that open a page of the menu have its first letter. */
export const shortcutsOf = (menu: ReadonlyArray<MenuItem>, openHelp: () => void): ReadonlyArray<Shortcut> => [
  ...menu.map(({ name, to }) => ({
    keys: `g ${name.slice(0, 1).toLowerCase()}`,
    title: `Go to ${name.toLowerCase()}`,
    run: () => go(to)
  })),
  { keys: "/", title: "Go to the filter of the page", run: focusFilter },
  { keys: "?", title: "Show the keyboard shortcuts", run: openHelp }
]

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"))

/** Binds keys, while they are on and nobody types or answers a dialog. */
export const useShortcuts = (shortcuts: ReadonlyArray<Shortcut>): void => {
  useEffect(() => {
    const find = makeSequence()
    const onKeyDown = (event: KeyboardEvent) => {
      if (!areKeysOn.value || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === "Shift" || isTyping(event.target) || document.querySelector("dialog[open]") !== null) return
      const found = find(event.key, event.timeStamp, shortcuts)
      if (found === undefined) return
      event.preventDefault()
      found.run()
    }
    addEventListener("keydown", onKeyDown)
    return () => removeEventListener("keydown", onKeyDown)
  }, [shortcuts])
}
