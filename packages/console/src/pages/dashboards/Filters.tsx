import { useSignal } from "@preact/signals"
import { useEffect, useId } from "preact/hooks"
import { calls } from "../../data/calls.ts"
import { now } from "../../data/clock.ts"
import { setQuery } from "../../data/route.ts"
import { may } from "../../data/session.ts"
import { boundsOf, type ZonedRange } from "../../parts/timeRange/timeRange.ts"
import { type Filter, valuesQuery } from "./tile.ts"
import { type DashboardView, filterField } from "./view.ts"

interface FilterProps {
  readonly filter: Filter
  readonly chosen: ReadonlyArray<string>
  readonly zoned: ZonedRange
}

/** The values that a filter offers: its own, or the most frequent ones of its source, read when the field gets the focus. */
const useOffered = ({ filter, zoned }: FilterProps) => {
  const isWanted = useSignal(false)
  const offered = useSignal<ReadonlyArray<string>>(filter.options ?? [])
  useEffect(() => {
    if (!isWanted.value || filter.options !== undefined || filter.expression === undefined || !may("chart:query"))
      return
    const controller = new AbortController()
    const { from, to } = boundsOf(zoned.range, now())
    const read = async () => {
      const query = valuesQuery(filter, Math.round(from), Math.round(to))
      const { rows } = await calls.chart.query(query, { signal: controller.signal })
      offered.value = rows.flatMap(([value]) => (value === null || value === undefined ? [] : [String(value)]))
    }
    // Values can be typed.
    read().catch(() => {})
    return () => controller.abort()
  }, [isWanted.value, JSON.stringify(zoned.range)])
  return { offered: offered.value, want: () => (isWanted.value = true) }
}

const FilterField = (props: FilterProps) => {
  const { chosen, filter } = props
  const id = useId()
  const typed = useSignal("")
  const { offered, want } = useOffered(props)
  const choose = (values: ReadonlyArray<string>) => setQuery(filterField(filter.id, values))
  const add = (value: string) => {
    if (value === "") return
    typed.value = ""
    choose(filter.isSingle ? [value] : Array.from(new Set([...chosen, value])))
  }
  return (
    <form
      class="filter"
      onSubmit={(event) => {
        event.preventDefault()
        add(typed.value)
      }}
    >
      <label for={id}>{filter.name}</label>
      <input
        id={id}
        list={`${id}-values`}
        autocomplete="off"
        placeholder={chosen.length === 0 ? "All" : "And …"}
        value={typed.value}
        onFocus={want}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value
          // A choice of the list, not a text that is typed.
          if (offered.includes(currentTarget.value)) add(currentTarget.value)
        }}
      />
      <datalist id={`${id}-values`}>
        {offered.map((value) => (
          <option key={value} value={value} />
        ))}
      </datalist>
      {chosen.map((value) => (
        <button
          key={value}
          type="button"
          class="chip"
          aria-label={`Remove ${value} of ${filter.name}`}
          onClick={() => choose(chosen.filter((one) => one !== value))}
        >
          <bdi>{value === "" ? '""' : value}</bdi> <span aria-hidden="true">✕</span>
        </button>
      ))}
    </form>
  )
}

/** One more condition for the rows of every tile. */
const Where = ({ view }: { readonly view: DashboardView }) => {
  const typed = useSignal<string | undefined>(undefined)
  const apply = () => {
    if (typed.value !== undefined) setQuery({ where: typed.value.trim() })
    typed.value = undefined
  }
  return (
    <form
      class="filter"
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
    >
      <label>
        Where{" "}
        <input
          class="where-text"
          autocomplete="off"
          maxLength={10_000}
          placeholder={view.whereLanguage === "sql" ? "status >= 500" : "status:>=500"}
          value={typed.value ?? view.where}
          onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
          onBlur={apply}
        />
      </label>
      <select
        aria-label="Language of the condition"
        value={view.whereLanguage}
        onChange={({ currentTarget }) => setQuery({ language: currentTarget.value === "sql" ? "sql" : "" })}
      >
        <option value="lucene">Lucene</option>
        <option value="sql">SQL</option>
      </select>
    </form>
  )
}

interface FiltersProps {
  readonly filters: ReadonlyArray<Filter>
  readonly view: DashboardView
  readonly zoned: ZonedRange
}

/** The filters of a dashboard, and the condition for all of its tiles: both are kept in the URL. */
export const Filters = ({ filters, view, zoned }: FiltersProps) => (
  <div class="row filters" role="search" aria-label="Rows of the tiles">
    {filters.map((filter) => (
      <FilterField key={filter.id} filter={filter} chosen={view.chosen[filter.id] ?? []} zoned={zoned} />
    ))}
    <Where view={view} />
  </div>
)
