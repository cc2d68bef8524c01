import { markOf } from "../format/states.ts"

/** The state of something, by a word and a shape; its colour only repeats what they say. */
export const State = ({ state }: { readonly state: string }) => {
  const { shape, tone } = markOf(state)
  return (
    <span class={`state state-${tone}`}>
      <span aria-hidden="true">{shape}</span> {state}
    </span>
  )
}
