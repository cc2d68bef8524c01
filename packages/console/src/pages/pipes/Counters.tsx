import { number, shortNumber } from "../../format/numbers.ts"
import { markOf } from "../../format/states.ts"
import { countsOf, groups, type PipeRow, worstLag } from "./pipeRows.ts"

interface CountersProps {
  readonly rows: ReadonlyArray<PipeRow>
  /** The state that is filtered by; empty for none. */
  readonly state: string
  readonly onState: (state: string) => void
  /** Puts the largest lag first. */
  readonly onLag: () => void
}

/** How many pipes there are of each group, and the worst lag: each a button that shows them. */
export const Counters = ({ onLag, onState, rows, state }: CountersProps) => {
  const counts = countsOf(rows)
  const worst = worstLag(rows)
  return (
    <div class="counters" role="group" aria-label="Pipes by state">
      {groups.map((group) => {
        const { shape, tone } = markOf(group)
        return (
          <button
            key={group}
            type="button"
            aria-pressed={state === group}
            onClick={() => onState(state === group ? "" : group)}
          >
            <strong>{number(counts[group])}</strong>
            <span class={counts[group] === 0 ? "state-idle" : `state-${tone}`}>
              <span aria-hidden="true">{shape}</span> {group}
            </span>
          </button>
        )
      })}
      <button type="button" onClick={onLag} title={number(worst)}>
        <strong>{shortNumber(worst)}</strong>
        <span>Worst lag</span>
      </button>
    </div>
  )
}
