import { useSignal } from "@preact/signals"
import { may } from "../../data/session.ts"
import { Copied } from "../../parts/Copy.tsx"
import { argumentOf, allows, type Decision, decisionsOf, kindOf, namedFlags, namesResync } from "./commands.ts"
import { ResumeDialog, StateDialog } from "./StateDialogs.tsx"
import type { PipeDocument, Polls, PipeStatus } from "./usePipe.ts"

interface AttentionProps {
  readonly pipe: PipeDocument
  readonly status: PipeStatus
  readonly polls: Polls
}

/** The commands that the reason names: each as a command line to copy, and as a button where the session may. */
const Deciding = ({ pipe, polls, status }: AttentionProps) => {
  const open = useSignal<Decision | "resync" | undefined>(undefined)
  const commanded = { kind: kindOf(pipe.source), state: status.state, isSimulated: status.simulated }
  const named = namedFlags(status.message)
  const offered = decisionsOf(commanded, pipe.source?.objectStorage != null).filter(({ flag }) => named.includes(flag))
  const isResync = namesResync(status.message) && allows(commanded, "resync")
  const isAllowed = may("pipe:update")
  const close = () => {
    open.value = undefined
  }
  const argument = argumentOf(pipe)
  return (
    <>
      {offered.map((decision) => (
        <div key={decision.flag} class="decision">
          <p>{decision.meaning}</p>
          <div class="row">
            <Copied of="command" text={`headgate pipe resume ${argument} ${decision.flag}`} />
            {isAllowed ? (
              <button type="button" onClick={() => (open.value = decision)}>
                Resume this way …
              </button>
            ) : null}
          </div>
        </div>
      ))}
      {isResync ? (
        <div class="decision">
          <p>Copy the tables again.</p>
          <div class="row">
            <Copied of="command" text={`headgate pipe resync ${argument}`} />
            {isAllowed ? (
              <button type="button" onClick={() => (open.value = "resync")}>
                Resync …
              </button>
            ) : null}
          </div>
        </div>
      ) : null}
      {open.value === "resync" ? (
        <StateDialog pipe={pipe} command="resync" polls={polls} onClose={close} />
      ) : open.value === undefined ? null : (
        <ResumeDialog pipe={pipe} status={status} polls={polls} chosen={open.value.flag} onClose={close} />
      )}
    </>
  )
}

const bad = new Set(["Failed", "InternalError"])

/** What needs attention: the reason of the state and what decides, and warnings. */
export const Attention = ({ pipe, polls, status }: AttentionProps) => {
  const warnings = status.warnings ?? []
  const message = status.message ?? ""
  if (message === "" && warnings.length === 0) return null
  return (
    <div class="attention">
      {message === "" ? null : (
        <div class={bad.has(status.state) ? "failed" : "stale"}>
          <p class="wrapped">
            <strong>{status.state}:</strong> <bdi>{message}</bdi>
          </p>
          <Deciding pipe={pipe} status={status} polls={polls} />
        </div>
      )}
      {warnings.length === 0 ? null : (
        <ul class="stale warnings" aria-label="Warnings">
          {warnings.map((warning) => (
            <li key={warning} class="wrapped">
              <bdi>{warning}</bdi>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
