import { HttpOrganizations, HttpPipes, HttpServices } from "@headgate/http-adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Command from "effect/cli/Command"
import { valuesCommand } from "../address/valuesCommand.ts"
import { management, managementSettings, onMachine, over } from "../settings/withPorts.ts"
import { copy } from "./copy.ts"
import { create } from "./create.ts"
import { dashboardNoun } from "./dashboardId.ts"
import { dashboards, dashboardSettings } from "./dashboardPorts.ts"
import { remove } from "./delete.ts"
import { type FromPipe, fromPipe } from "./fromPipe.ts"
import { get, readDashboard } from "./get.ts"
import { list } from "./list.ts"
import { preview } from "./preview.ts"
import { show } from "./show.ts"
import { update } from "./update.ts"
import { validate } from "./validate.ts"

const withPorts = over(dashboards, dashboardSettings)

const readByName = (idOrName: string) =>
  Effect.andThen(dashboardSettings, Effect.provide(readDashboard(idOrName), dashboards))

const pipes = Layer.provide(Layer.mergeAll(HttpOrganizations.layer, HttpServices.layer, HttpPipes.layer), management)

const makeFromPipe = (given: FromPipe, isDryRun: boolean) =>
  Effect.andThen(managementSettings, Effect.provide(fromPipe(given, isDryRun), pipes))

/** `headgate dashboard` */
export const command = Command.make("dashboard").pipe(
  Command.withSubcommands([
    withPorts(get),
    withPorts(create(makeFromPipe)),
    withPorts(update),
    withPorts(validate),
    onMachine(preview(readByName)),
    withPorts(show),
    withPorts(remove),
    withPorts(copy),
    withPorts(list)
  ])
)

/** `headgate complete-values dashboard` */
export const values = withPorts(valuesCommand("dashboard", dashboardNoun.list))
