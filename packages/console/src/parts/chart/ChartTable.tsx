import { useSignal } from "@preact/signals"
import { timeIn } from "../../format/times.ts"
import { type ChartData, valueText } from "./chartModel.ts"

interface ChartTableProps {
  readonly name: string
  readonly data: ChartData
  readonly zone: string
  readonly text: (value: number) => string
}

/** The data of a chart as a table, the newest first: made when it is opened. */
export const ChartTable = ({ data, name, text, zone }: ChartTableProps) => {
  const isOpen = useSignal(false)
  return (
    <details onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
      <summary>Show as table</summary>
      {isOpen.value ? (
        <div class="scroll" tabIndex={0} role="region" aria-label={`${name} as a table`}>
          <table>
            <thead>
              <tr>
                <th scope="col">Time ({zone})</th>
                {data.series.map((series) => (
                  <th key={series.name} scope="col">
                    <bdi>{series.name}</bdi>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.times
                .map((at, index) => (
                  <tr key={at}>
                    <th scope="row">{timeIn(at, zone)}</th>
                    {data.series.map((series) => (
                      <td key={series.name} class="number">
                        {valueText(series.values[index], text)}
                      </td>
                    ))}
                  </tr>
                ))
                .toReversed()}
            </tbody>
          </table>
        </div>
      ) : null}
    </details>
  )
}
