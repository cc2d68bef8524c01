import type { Shortcut } from "../../data/sequence.ts"
import { Dialog } from "../../parts/Dialog.tsx"
import { tableKeys } from "../../parts/table/tableKeys.ts"
import { areKeysOn, turnKeys } from "./shortcuts.ts"

interface KeyList {
  readonly title: string
  readonly of: ReadonlyArray<{ readonly keys: ReadonlyArray<string>; readonly title: string }>
}

const KeysOf = ({ of, title }: KeyList) => (
  <>
    <h3>{title}</h3>
    <dl class="keys">
      {of.map(({ keys, title: meaning }) => (
        <div key={meaning}>
          <dt>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  </>
)

interface KeysDialogProps {
  readonly shortcuts: ReadonlyArray<Shortcut>
  readonly onClose: () => void
}

/** The keyboard shortcuts, and whether those of every page are on. */
export const KeysDialog = ({ onClose, shortcuts }: KeysDialogProps) => (
  <Dialog title="Keyboard shortcuts" onClose={onClose}>
    <KeysOf title="On every page" of={shortcuts.map(({ keys, title }) => ({ keys: keys.split(" "), title }))} />
    <label class="row">
      <input type="checkbox" checked={areKeysOn.value} onChange={(event) => turnKeys(event.currentTarget.checked)} />
      Use these shortcuts
    </label>
    <KeysOf title="In a table" of={tableKeys} />
    <div class="row dialog-buttons">
      <button type="button" onClick={onClose}>
        Close
      </button>
    </div>
  </Dialog>
)
