import { HttpApiKeys, HttpOrganizations } from "@headgate/http-adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Command from "effect/cli/Command"
import { nouns, organizationId } from "../address/nouns.ts"
import { valuesCommand } from "../address/valuesCommand.ts"
import { overManagement } from "../settings/withPorts.ts"
import { create } from "./create.ts"
import { remove } from "./delete.ts"
import { get } from "./get.ts"
import { list } from "./list.ts"
import { rotate } from "./rotate.ts"
import { update } from "./update.ts"

const withPorts = overManagement(Layer.merge(HttpOrganizations.layer, HttpApiKeys.layer))

/** `headgate key` */
export const command = Command.make("key").pipe(
  Command.withSubcommands([
    withPorts(list),
    withPorts(get),
    withPorts(create),
    withPorts(update),
    withPorts(rotate),
    withPorts(remove)
  ])
)

/** `headgate complete-values key` */
export const values = withPorts(
  valuesCommand(
    "key",
    Effect.flatMap(organizationId, (id) => nouns.key(id).list)
  )
)
