import type { NodeDraft } from "./nodeDraft.ts"
import type { FormNode } from "./schemaNode.ts"

/** What every part of a form is given. */
export interface NodeProps<Node extends FormNode = FormNode> {
  readonly node: Node
  readonly draft: NodeDraft
  /** The path of the field, such as `source.kafka`; empty for the whole request. */
  readonly path: string
  readonly onChange: (draft: NodeDraft) => void
  /** What is wrong, by path. */
  readonly errors: Readonly<Record<string, string>>
  /** Whether an optional field is shown at once; the others are folded away. */
  readonly isFirst: (path: string) => boolean
}
