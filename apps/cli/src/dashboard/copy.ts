import { type Dashboard, DashboardCreate, Dashboards } from "@headgate/core"
import { decodeRequest } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Struct from "effect/Struct"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { DocumentError } from "../error/CommandError.ts"
import { validateName } from "./create.ts"
import { dashboardIdArgument, resolveDashboard } from "./dashboardId.ts"
import { printDashboard } from "./printDashboard.ts"

const withoutId = (value: unknown): unknown => (Predicate.isObject(value) ? Struct.omit(value, ["id"]) : value)

const decode = decodeRequest(DashboardCreate)

// The request that creates the same dashboard again. Every service assigns ids itself, today's refuses those of filters.
const copyOf = ({ id, filters, tiles, ...dashboard }: Dashboard, name: string) =>
  Effect.mapError(
    decode({
      ...dashboard,
      name,
      tiles: (tiles ?? []).map(withoutId),
      ...(Array.isArray(filters) ? { filters: filters.map(withoutId) } : {})
    }),
    ({ issues, message }) => new DocumentError({ message: `Dashboard ${id} cannot be copied: ${message}`, issues })
  )

/** `headgate dashboard copy <dashboard-id> [--name N]` */
export const copy = Command.make(
  "copy",
  {
    dashboardId: dashboardIdArgument,
    name: Flag.String("name").pipe(
      Flag.withMetavar("name"),
      Flag.withDescription('Name of the copy, "<name> (copy)" by default'),
      Flag.mapEffect(validateName),
      Flag.optional
    )
  },
  Effect.fnUntraced(function* ({ dashboardId, name }) {
    const dashboards = yield* Dashboards
    const original = yield* dashboards.get({ dashboardId: yield* resolveDashboard(dashboardId) })
    const request = yield* copyOf(
      original,
      Option.getOrElse(name, () => `${original.name} (copy)`)
    )
    const dashboard = yield* dashboards.create(request)
    yield* printDashboard(dashboard, `Dashboard ${dashboard.id} was created`)
  })
).pipe(
  Command.withDescription("Create a dashboard with the tiles, filters and tags of another"),
  Command.withExamples([
    { command: 'headgate dashboard copy 65f5e4a3b9e77c001a567890 --name "Errors 2"', description: "A copy to change" }
  ])
)
