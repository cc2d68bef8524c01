import { useSignal } from "@preact/signals"
import { asFailed, type CallFailed } from "../../data/CallFailed.ts"
import { Failed } from "../../parts/Conditions.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { changesOf, mergeOf } from "./changes.ts"
import type { Dashboard } from "./tile.ts"

interface ConflictProps {
  /** As it was when editing began. */
  readonly base: Dashboard
  readonly mine: Dashboard
  /** As it is now. */
  readonly theirs: Dashboard
  readonly save: (dashboard: Dashboard) => Promise<void>
  readonly onDrop: () => void
  readonly onClose: () => void
}

const List = ({
  empty,
  items,
  title
}: {
  readonly title: string
  readonly items: ReadonlyArray<string>
  readonly empty: string
}) => (
  <>
    <h3>{title}</h3>
    {items.length === 0 ? (
      <p class="quiet">{empty}</p>
    ) : (
      <ul>
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    )}
  </>
)

/** Shows what two people have changed, and lets the one who saves later choose. Nothing is saved or lost before. */
export const Conflict = ({ base, mine, onClose, onDrop, save, theirs }: ConflictProps) => {
  const failed = useSignal<CallFailed | undefined>(undefined)
  const isRunning = useSignal(false)
  const merged = mergeOf(base, mine, theirs)
  const run = async (dashboard: Dashboard) => {
    isRunning.value = true
    failed.value = undefined
    try {
      await save(dashboard)
    } catch (error) {
      failed.value = asFailed(error)
    } finally {
      isRunning.value = false
    }
  }
  return (
    <Dialog title="Someone else saved this dashboard" onClose={onClose}>
      <p>Nothing of yours was saved yet, and nothing is lost.</p>
      <List title="What the other one changed" items={changesOf(base, theirs)} empty="Nothing that is seen here." />
      <List title="What you changed" items={changesOf(base, mine)} empty="Nothing." />
      <List title="Changed by both" items={merged.conflicts} empty="Nothing: your changes fit on top of theirs." />
      {merged.conflicts.length === 0 ? null : <p>Of these yours counts, if you put your changes on top.</p>}
      {failed.value === undefined ? null : <Failed failed={failed.value} />}
      <div class="row dialog-buttons">
        <button type="button" onClick={onClose}>
          Go on editing
        </button>
        <button type="button" onClick={onDrop}>
          Discard my changes
        </button>
        <button type="button" class="danger" disabled={isRunning.value} onClick={() => void run(mine)}>
          Replace theirs with mine
        </button>
        <button type="button" class="primary" disabled={isRunning.value} onClick={() => void run(merged.value)}>
          Put my changes on top
        </button>
      </div>
    </Dialog>
  )
}
