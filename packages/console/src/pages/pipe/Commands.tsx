import { useSignal } from "@preact/signals"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { may } from "../../data/session.ts"
import { allows, type Command, kindOf } from "./commands.ts"
import { DeleteDialog, RenameDialog, ScaleDialog, SettingsDialog } from "./DocumentDialogs.tsx"
import { AdoptDialog, ResumeDialog, StateDialog } from "./StateDialogs.tsx"
import type { Polls } from "./usePipe.ts"

const offered = [
  { command: "start", text: "Start" },
  { command: "stop", text: "Stop" },
  { command: "resync", text: "Resync" },
  { command: "resume", text: "Resume" },
  { command: "accept", text: "Accept tables" },
  { command: "adopt", text: "Adopt" },
  { command: "settings", text: "Settings" },
  { command: "scale", text: "Scale" },
  { command: "rename", text: "Rename" },
  { command: "delete", text: "Delete" }
] as const satisfies ReadonlyArray<{ readonly command: Command; readonly text: string }>

const permissionOf = (command: Command): string => (command === "delete" ? "pipe:delete" : "pipe:update")

interface OpenedProps {
  readonly command: Command
  readonly polls: Polls
  readonly onClose: () => void
}

const Opened = ({ command, onClose, polls }: OpenedProps) => {
  const versioned = polls.pipe.value.peek()
  const status = polls.status.value.peek()
  if (versioned === undefined || status === undefined) return null
  const pipe = versioned.value
  switch (command) {
    case "start":
    case "stop":
    case "resync":
      return <StateDialog pipe={pipe} command={command} polls={polls} onClose={onClose} />
    case "resume":
      return <ResumeDialog pipe={pipe} status={status} polls={polls} onClose={onClose} />
    case "accept":
      return <ResumeDialog pipe={pipe} status={status} polls={polls} chosen="--accept-table" onClose={onClose} />
    case "adopt":
      return <AdoptDialog pipe={pipe} polls={polls} onClose={onClose} />
    case "settings":
      return <SettingsDialog pipe={versioned} polls={polls} onClose={onClose} />
    case "scale":
      return <ScaleDialog pipe={versioned} polls={polls} onClose={onClose} />
    case "rename":
      return <RenameDialog pipe={versioned} polls={polls} onClose={onClose} />
    case "delete":
      return <DeleteDialog pipe={versioned} polls={polls} onClose={onClose} />
  }
}

/** Keeps the focus in a group of buttons when the one that had it is gone. */
const useKeptFocus = () => {
  const group = useRef<HTMLDivElement>(null)
  const wasInside = useRef(false)
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      wasInside.current = target instanceof Node && group.current?.contains(target) === true
    }
    document.addEventListener("focusin", note)
    return () => document.removeEventListener("focusin", note)
  }, [])
  useLayoutEffect(() => {
    if (wasInside.current && document.activeElement === document.body) group.current?.focus()
  })
  return group
}

/** What can be done with the pipe: each command opens a dialog that says what will happen. */
export const Commands = ({ polls }: { readonly polls: Polls }) => {
  const open = useSignal<Command | undefined>(undefined)
  const group = useKeptFocus()
  const pipe = polls.pipe.value.value?.value
  const status = polls.status.value.value
  if (pipe === undefined || status === undefined) return null
  const commanded = { kind: kindOf(pipe.source), state: status.state, isSimulated: status.simulated }
  const shown = offered.filter(({ command }) => may(permissionOf(command)) && allows(commanded, command))
  return shown.length === 0 ? null : (
    <div ref={group} class="row commands" role="group" aria-label="Commands" tabIndex={-1}>
      {shown.map(({ command, text }) => (
        <button
          key={command}
          type="button"
          class={command === "delete" ? "danger" : undefined}
          onClick={() => (open.value = command)}
        >
          {text} …
        </button>
      ))}
      {open.value === undefined ? null : (
        <Opened command={open.value} polls={polls} onClose={() => (open.value = undefined)} />
      )}
    </div>
  )
}
