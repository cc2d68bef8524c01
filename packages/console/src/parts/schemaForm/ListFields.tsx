import type { ComponentType } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { FieldGroup } from "./FieldGroup.tsx"
import { draftItems, movedItem, type NodeDraft } from "./nodeDraft.ts"
import type { NodeProps } from "./nodeProps.ts"
import type { ListNode } from "./schemaNode.ts"

interface ItemButtonsProps {
  readonly title: string
  readonly index: number
  readonly count: number
  readonly move: (to: number) => void
  readonly remove: () => void
}

const ItemButtons = ({ count, index, move, remove, title }: ItemButtonsProps) => (
  <div class="row">
    <button type="button" onClick={remove}>
      Remove<span class="hidden-label"> {title}</span>
    </button>
    {index === 0 ? null : (
      <button type="button" onClick={() => move(index - 1)}>
        Move up<span class="hidden-label"> {title}</span>
      </button>
    )}
    {index === count - 1 ? null : (
      <button type="button" onClick={() => move(index + 1)}>
        Move down<span class="hidden-label"> {title}</span>
      </button>
    )}
  </div>
)

interface ListFieldsProps extends NodeProps<ListNode> {
  /** What the list is of. */
  readonly label: string
  readonly Item: ComponentType<NodeProps & { readonly label: string }>
}

/** The items of a list: added, removed and moved. The focus goes to what was added or moved, and to the button that adds after a removal. */
export const ListFields = ({ draft, Item, label, node, onChange, path, ...rest }: ListFieldsProps) => {
  const list = useRef<HTMLDivElement>(null)
  const wanted = useRef<number | "add" | undefined>(undefined)
  const items = draftItems(draft)
  useLayoutEffect(() => {
    const at = wanted.current
    if (at === undefined) return
    wanted.current = undefined
    const place = at === "add" ? list.current : list.current?.children[at]
    const control = at === "add" ? ":scope > button" : "input, select, textarea"
    place?.querySelector<HTMLElement>(control)?.focus()
  })
  const change = (next: ReadonlyArray<NodeDraft>, focus: number | "add") => {
    wanted.current = focus
    onChange(next)
  }
  const isSimple = node.item.kind === "value" || node.item.kind === "json"
  return (
    <div ref={list} class="list-fields">
      {items.map((item, index) => {
        const title = `${label} ${index + 1}`
        const at = `${path}[${index}]`
        const fields = (
          <>
            <Item
              {...rest}
              node={node.item}
              draft={item}
              path={at}
              label={title}
              onChange={(next) => onChange(items.toSpliced(index, 1, next))}
            />
            <ItemButtons
              title={title}
              index={index}
              count={items.length}
              move={(to) => change(movedItem(items, index, to), to)}
              remove={() => change(items.toSpliced(index, 1), "add")}
            />
          </>
        )
        return isSimple ? (
          <div key={at} class="list-item">
            {fields}
          </div>
        ) : (
          <FieldGroup key={at} label={title} error={rest.errors[at]}>
            {fields}
          </FieldGroup>
        )
      })}
      <button type="button" onClick={() => change([...items, undefined], items.length)}>
        Add<span class="hidden-label"> to {label}</span>
      </button>
    </div>
  )
}
