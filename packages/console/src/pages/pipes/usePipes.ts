import { useSignalEffect } from "@preact/signals"
import { useMemo, useRef } from "preact/hooks"
import { calls } from "../../data/calls.ts"
import { usePoll } from "../../data/poll.ts"
import { keepEqual } from "../../parts/table/model.ts"
import { type PipeRow, rowsOf } from "./pipeRows.ts"

/** How often the states are read, in milliseconds: as often as the server notes them. */
const interval = 3000

const keyOf = ({ id }: PipeRow) => id

/**
 * The pipes of a service: one request for how all of them go on, again and again, and one for their names, again when one is unknown. A
 * row that did not change stays the same object.
 */
export const usePipes = (organizationId: string, serviceId: string) => {
  const address = { organizationId, serviceId }
  const inputs = [organizationId, serviceId]
  const names = usePoll((signal) => calls.pipe.list(address, { signal }), undefined, inputs)
  const statuses = usePoll((signal) => calls.pipe.statuses(address, { signal }), interval, inputs)
  // Those that the list was asked for once: one that it does not have is not asked for again.
  const asked = useRef(new Set<string>())
  useSignalEffect(() => {
    const known = new Set(names.value.value?.map(({ id }) => id))
    const unknown = statuses.value.value?.filter(({ id }) => !known.has(id) && !asked.current.has(id)) ?? []
    if (names.value.value === undefined || unknown.length === 0) return
    for (const { id } of unknown) asked.current.add(id)
    names.refresh()
  })
  const [listed, told] = [names.value.value, statuses.value.value]
  const before = useRef<ReadonlyArray<PipeRow>>([])
  const rows = useMemo(
    () => (before.current = keepEqual(before.current, rowsOf(told ?? [], listed ?? []), keyOf)),
    [listed, told]
  )
  return { names, rows, statuses }
}
