import type { ComponentChildren } from "preact"
import { useRef } from "preact/hooks"
import { number } from "../../format/numbers.ts"
import { Field } from "../Field.tsx"
import { FieldGroup } from "./FieldGroup.tsx"
import { helpOf } from "./formModel.ts"
import { ListFields } from "./ListFields.tsx"
import { below, draftMembers, draftText, type NodeDraft, variantIn } from "./nodeDraft.ts"
import type { NodeProps } from "./nodeProps.ts"
import type { Member, ObjectNode, UnionNode } from "./schemaNode.ts"
import { ValueControl } from "./ValueControl.tsx"

const hasBelow = (errors: Readonly<Record<string, string>>, path: string): boolean =>
  Object.keys(errors).some((one) => one === path || one.startsWith(`${path}.`) || one.startsWith(`${path}[`))

const isFilled = (draft: NodeDraft): boolean =>
  typeof draft === "object" ? Object.values(draft).some(isFilled) : draftText(draft) !== ""

interface MoreProps {
  readonly isOpen: boolean
  readonly children: ComponentChildren
}

/** Fields that few people need. Once they are open they stay so. */
const More = ({ children, isOpen }: MoreProps) => {
  const wasOpen = useRef(isOpen)
  wasOpen.current ||= isOpen
  return (
    <details class="more" open={wasOpen.current}>
      <summary>More</summary>
      {children}
    </details>
  )
}

const MemberField = ({ member, ...props }: Omit<NodeProps, "node"> & { readonly member: Member }) => {
  const { label, node } = member
  const error = props.errors[props.path]
  const help = helpOf(member, "", number)
  if (node.kind === "value" || node.kind === "json") {
    const { draft, onChange } = props
    return (
      <Field label={label} help={help === "" ? undefined : help} error={error}>
        {(control) => <ValueControl node={node} control={control} draft={draft} onChange={onChange} />}
      </Field>
    )
  }
  return (
    <FieldGroup label={label} help={help} error={error}>
      <SchemaFields {...props} node={node} label={label} />
    </FieldGroup>
  )
}

const ObjectFields = ({ draft, errors, isFirst, node, onChange, path }: NodeProps<ObjectNode>) => {
  const drafts = draftMembers(draft)
  const opened = useRef(new Map(node.members.map(({ name }) => [name, isFilled(drafts[name])])))
  const isShown = (member: Member) => member.isRequired || isFirst(below(path, member.name))
  const shown = node.members.filter(isShown)
  // Folding away all that there is would only hide it.
  const folded = shown.length === 0 ? [] : node.members.filter((member) => !isShown(member))
  const field = (member: Member) => (
    <MemberField
      key={member.name}
      member={member}
      draft={drafts[member.name]}
      path={below(path, member.name)}
      errors={errors}
      isFirst={isFirst}
      onChange={(next) => onChange({ ...drafts, [member.name]: next })}
    />
  )
  return (
    <>
      {(shown.length === 0 ? node.members : shown).map(field)}
      {folded.length === 0 ? null : (
        <More
          isOpen={folded.some(({ name }) => hasBelow(errors, below(path, name)) || opened.current.get(name) === true)}
        >
          {folded.map(field)}
        </More>
      )}
    </>
  )
}

const UnionFields = ({ draft, node, onChange, ...rest }: NodeProps<UnionNode>) => {
  const variant = variantIn(node, draft)
  const { value, variant: chosen } = draftMembers(draft)
  return (
    <>
      <Field label="Kind">
        {(control) => (
          <select
            {...control}
            value={draftText(chosen)}
            onChange={(event) => onChange({ variant: event.currentTarget.value, value })}
          >
            <option value="">Choose</option>
            {node.variants.map(({ title }, index) => (
              <option key={title} value={String(index)}>
                {title}
              </option>
            ))}
          </select>
        )}
      </Field>
      {variant === undefined ? null : (
        <ObjectFields
          {...rest}
          node={variant.node}
          draft={value}
          onChange={(next) => onChange({ variant: draftText(chosen), value: next })}
        />
      )}
    </>
  )
}

/** The fields of a request, or of a part of it, as its schema describes them. `label` names the items of a list. */
export const SchemaFields = ({ label = "Value", node, ...props }: NodeProps & { readonly label?: string }) => {
  switch (node.kind) {
    case "object":
      return <ObjectFields {...props} node={node} />
    case "union":
      return <UnionFields {...props} node={node} />
    case "list":
      return <ListFields {...props} node={node} label={label} Item={SchemaFields} />
    case "value":
    case "json":
      return (
        <Field label={label} error={props.errors[props.path]}>
          {(control) => <ValueControl node={node} control={control} draft={props.draft} onChange={props.onChange} />}
        </Field>
      )
  }
}
