import { HttpCdcScaling, HttpCharts, HttpOrganizations, HttpPipes, HttpServices } from "@headgate/http-adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Command from "effect/cli/Command"
import { nouns, serviceAddress } from "../address/nouns.ts"
import { valuesCommand } from "../address/valuesCommand.ts"
import { overManagement } from "../settings/withPorts.ts"
import { adopt } from "./adopt.ts"
import { cdcScaling } from "./cdcScalingCommands.ts"
import { create } from "./create.ts"
import { remove } from "./delete.ts"
import { discover } from "./discover.ts"
import { errors } from "./errors.ts"
import { events } from "./events.ts"
import { get } from "./get.ts"
import { history } from "./history.ts"
import { list } from "./list.ts"
import { rename } from "./rename.ts"
import { resume } from "./resume.ts"
import { rows } from "./rows.ts"
import { scale } from "./scale.ts"
import { resync, start, stop } from "./setState.ts"
import { settings } from "./settings.ts"
import { status } from "./status.ts"
import { update } from "./update.ts"
import { wait } from "./wait.ts"
import { watch } from "./watch.ts"

const withPorts = overManagement(
  Layer.mergeAll(
    HttpOrganizations.layer,
    HttpServices.layer,
    HttpPipes.layer,
    HttpCdcScaling.layer,
    HttpCharts.layerServices
  )
)

/** `headgate pipe` */
export const command = Command.make("pipe").pipe(
  Command.withSubcommands([
    withPorts(list),
    withPorts(get),
    withPorts(create),
    withPorts(update),
    withPorts(rename),
    withPorts(discover),
    withPorts(start),
    withPorts(stop),
    withPorts(resync),
    withPorts(resume),
    withPorts(adopt),
    withPorts(scale),
    withPorts(settings),
    withPorts(cdcScaling),
    withPorts(status),
    withPorts(events),
    withPorts(errors),
    withPorts(history),
    withPorts(rows),
    withPorts(wait),
    withPorts(watch),
    withPorts(remove)
  ])
)

/** `headgate complete-values pipe` */
export const values = withPorts(
  valuesCommand(
    "pipe",
    Effect.flatMap(serviceAddress, (address) => nouns.pipe(address).list)
  )
)
