import { escapeTerminalLine } from "@headgate/command-line"
import { DashboardCreate, type DashboardUpdate, SeriesCreate, TileUpdate } from "@headgate/core"
import { nearestField } from "@headgate/core/adapter"

const fields = {
  dashboard: [...Object.keys(DashboardCreate.schema.fields), "id"],
  tile: Object.keys(TileUpdate.schema.fields),
  // A field of today's service, beside `field`.
  series: [...Object.keys(SeriesCreate.schema.fields), "fields"]
}

const inRecord = (path: string, record: object, known: ReadonlyArray<string>): ReadonlyArray<string> =>
  Object.keys(record).flatMap((name) => {
    const near = known.includes(name) ? undefined : nearestField(name, known)
    return near === undefined ? [] : [`${path}${escapeTerminalLine(name)}: did you mean ${near}?`]
  })

// More are left out.
const maxMisspellings = 20

/** The unknown fields of a request that are near to a known one, by path. They are sent: the service may know them. */
export const misspellings = (request: DashboardCreate | DashboardUpdate): ReadonlyArray<string> =>
  [
    ...inRecord("", request, fields.dashboard),
    ...(request.tiles ?? []).flatMap((tile, index) => [
      ...inRecord(`tiles[${index}].`, tile, fields.tile),
      ...(tile.series ?? []).flatMap((series, at) => inRecord(`tiles[${index}].series[${at}].`, series, fields.series))
    ])
  ].slice(0, maxMisspellings)
