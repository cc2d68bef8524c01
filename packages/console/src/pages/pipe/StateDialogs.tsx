import { useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { calls } from "../../data/calls.ts"
import { newIdempotencyKey } from "../../data/idempotencyKey.ts"
import { Action } from "../../parts/Action.tsx"
import { Copied } from "../../parts/Copy.tsx"
import { argumentOf, decisionsOf, kindOf, namedFlags } from "./commands.ts"
import type { PipeDocument, Polls, PipeStatus } from "./usePipe.ts"

interface DialogProps {
  readonly polls: Polls
  readonly onClose: () => void
}

const stateCommands = {
  start: {
    verb: "Start",
    says: "The pipe goes on where it stopped. A batch that was interrupted is finished first."
  },
  stop: {
    verb: "Stop",
    says: "The pipe ends after the batch that it moves, and keeps its place: a start goes on from there. Rows in the table stay. The source keeps what is not read for as long as it keeps anything; a Postgres keeps its log until the pipe is started or deleted."
  },
  resync: {
    verb: "Resync",
    says: "The pipe copies its tables again. Readers see the old rows meanwhile; rows that the source no longer has are marked as deleted. The counts begin at 0."
  }
} as const

interface StateDialogProps extends DialogProps {
  readonly pipe: PipeDocument
  readonly command: keyof typeof stateCommands
}

/** Starts, stops or resyncs a pipe. */
export const StateDialog = ({ command, onClose, pipe, polls }: StateDialogProps) => {
  const { says, verb } = stateCommands[command]
  const run = async () => {
    await calls.pipe.setState({ ...polls.address, command })
    polls.refresh()
  }
  return (
    <Action title={`${verb} ${pipe.name}`} verb={verb} run={run} onClose={onClose}>
      <p>{says}</p>
      <Copied of="command" text={`headgate pipe ${command} ${argumentOf(pipe)}`} />
    </Action>
  )
}

interface ResumeDialogProps extends DialogProps {
  readonly pipe: PipeDocument
  readonly status: PipeStatus
  /** The flag of the decision that is chosen at first. */
  readonly chosen?: string
}

/** Decides how a pipe goes on that could not go on by itself. */
export const ResumeDialog = ({ chosen, onClose, pipe, polls, status }: ResumeDialogProps) => {
  const commanded = { kind: kindOf(pipe.source), state: status.state, isSimulated: status.simulated }
  const offered = decisionsOf(commanded, pipe.source?.objectStorage != null)
  const named = namedFlags(status.message)
  const flag = useSignal(chosen ?? named.find((one) => offered.some((other) => other.flag === one)) ?? "")
  const decision = offered.find((one) => one.flag === flag.value)
  // The same for each attempt, also after an answer that was lost: it is decided once.
  const idempotencyKey = useMemo(() => newIdempotencyKey(), [flag.value])
  const run = async () => {
    if (decision !== undefined) await calls.pipe.resume({ ...polls.address, ...decision.request }, { idempotencyKey })
    polls.refresh()
  }
  return (
    <Action
      title={`Resume ${pipe.name}`}
      verb="Resume"
      isReady={decision !== undefined}
      isDangerous={decision !== undefined && named.length > 0 && !named.includes(decision.flag)}
      run={run}
      onClose={onClose}
    >
      <p>
        A pipe that cannot go on by itself would lose rows or write them twice. The decision holds once, and starts the
        pipe.
      </p>
      <fieldset class="choices">
        <legend>How does it go on?</legend>
        {offered.map((one) => (
          <label key={one.flag}>
            <input
              type="radio"
              name="decision"
              checked={flag.value === one.flag}
              onChange={() => (flag.value = one.flag)}
            />
            <span>
              <code>{one.flag}</code>
              {named.includes(one.flag) ? " (named by the reason)" : ""}
              <span class="quiet"> {one.meaning}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {decision === undefined ? null : (
        <Copied of="command" text={`headgate pipe resume ${argumentOf(pipe)} ${decision.flag}`} />
      )}
    </Action>
  )
}

/** Lets a simulated pipe move rows. */
export const AdoptDialog = ({ onClose, pipe, polls }: DialogProps & { readonly pipe: PipeDocument }) => {
  const idempotencyKey = useMemo(() => newIdempotencyKey(), [])
  const run = async () => {
    await calls.pipe.adopt(polls.address, { idempotencyKey })
    polls.refresh()
  }
  return (
    <Action title={`Adopt ${pipe.name}`} verb="Adopt" run={run} onClose={onClose}>
      <p>
        The pipe is simulated, as an imported one is. It is bound to the warehouse of its service, for good, and started
        as a new pipe: it reads its source and writes rows to its table. If it lacks credentials, they must be given
        first: <code>headgate pipe update {argumentOf(pipe)} --file</code>.
      </p>
      <Copied of="command" text={`headgate pipe adopt ${argumentOf(pipe)}`} />
    </Action>
  )
}
