import type { ControlProps } from "../Field.tsx"
import { unstored } from "../unstored.ts"
import { draftText, type NodeDraft } from "./nodeDraft.ts"
import type { JsonNode, ValueNode } from "./schemaNode.ts"

interface ValueControlProps {
  readonly node: ValueNode | JsonNode
  readonly control: ControlProps
  readonly draft: NodeDraft
  readonly onChange: (text: string) => void
}

interface ChoiceProps {
  readonly node: ValueNode
  readonly control: ControlProps
  readonly text: string
  readonly onChange: (text: string) => void
}

const Choice = ({ control, node, onChange, text }: ChoiceProps) => {
  const choices = node.type === "boolean" ? ["true", "false"] : (node.choices ?? [])
  return (
    <select {...control} value={text} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">–</option>
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {node.type !== "boolean" ? (node.titles?.[choice] ?? choice) : choice === "true" ? "Yes" : "No"}
        </option>
      ))}
      {text === "" || choices.includes(text) ? null : <option value={text}>{text}</option>}
    </select>
  )
}

/** The control of one value: a choice, a number, a text, lines of text, a secret. */
export const ValueControl = ({ control, draft, node, onChange }: ValueControlProps) => {
  const text = draftText(draft)
  const onInput = (event: { readonly currentTarget: { readonly value: string } }) => onChange(event.currentTarget.value)
  if (node.kind === "json")
    return <textarea {...control} {...unstored} class="code" rows={4} value={text} onInput={onInput} />
  if (node.type === "boolean" || node.type === "choice")
    return <Choice control={control} node={node} text={text} onChange={onChange} />
  if (node.isLong)
    return (
      <textarea
        {...control}
        {...unstored}
        class={node.isSecret ? "code secret-text" : "code"}
        rows={3}
        value={text}
        onInput={onInput}
      />
    )
  if (node.isSecret)
    return (
      <input {...control} {...unstored} type="password" autocomplete="new-password" value={text} onInput={onInput} />
    )
  return (
    <input
      {...control}
      {...unstored}
      type="text"
      inputMode={node.type === "text" ? "text" : "decimal"}
      value={text}
      onInput={onInput}
    />
  )
}
