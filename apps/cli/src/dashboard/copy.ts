import { type Dashboard, Dashboards, type Series, type Tile } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Struct from "effect/Struct"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { DashboardNotFound } from "../error/CommandError.ts"
import { decodeDashboard, printCreated, validateName } from "./create.ts"

// The seed-era service answers with the names of its store, and ignores them in a request.
const seriesRequest = ({ table, ...series }: Series) =>
  table === undefined ? series : { dataSource: table === "metrics" ? "metrics" : "events", ...series }

const tileRequest = ({ series, seriesReturnType, ...tile }: Tile) => ({
  ...(seriesReturnType === undefined ? {} : { asRatio: seriesReturnType === "ratio" }),
  ...tile,
  ...(series ? { series: series.map(seriesRequest) } : {})
})

const withoutId = (value: unknown): unknown => (Predicate.isObject(value) ? Struct.omit(value, ["id"]) : value)

// The request that creates the same dashboard again. Every service assigns ids itself, today's refuses those of filters.
const copyOf = ({ id, filters, tiles, ...dashboard }: Dashboard, name: string) =>
  decodeDashboard(
    {
      ...dashboard,
      name,
      tiles: (tiles ?? []).map(tileRequest).map(withoutId),
      ...(Array.isArray(filters) ? { filters: filters.map(withoutId) } : {})
    },
    `Dashboard ${id} cannot be copied`
  )

/** `headgate dashboard copy <dashboard-id> [--name N]` */
export const copy = Command.make(
  "copy",
  {
    dashboardId: Argument.String("dashboard-id").pipe(Argument.withDescription("Id of the dashboard")),
    name: Flag.String("name").pipe(
      Flag.withMetavar("name"),
      Flag.withDescription('Name of the copy, "<name> (copy)" by default'),
      Flag.mapEffect(validateName),
      Flag.optional
    )
  },
  Effect.fnUntraced(function* ({ dashboardId, name }) {
    const dashboards = yield* Dashboards
    const original = (yield* dashboards.list()).find(({ id }) => id === dashboardId)
    if (original === undefined) {
      return yield* new DashboardNotFound({ message: `There is no dashboard ${JSON.stringify(dashboardId)}.` })
    }
    const request = yield* copyOf(
      original,
      Option.getOrElse(name, () => `${original.name} (copy)`)
    )
    yield* printCreated(yield* dashboards.create(request))
  })
).pipe(
  Command.withDescription("Create a dashboard with the tiles, filters and tags of another"),
  Command.withExamples([
    { command: 'headgate dashboard copy 65f5e4a3b9e77c001a567890 --name "Errors 2"', description: "A copy to change" }
  ])
)
