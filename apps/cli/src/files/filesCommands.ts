import { ApiKeys, Organizations, Pipes, Services } from "@headgate/core"
import { HttpApiKeys, HttpOrganizations, HttpPipes, HttpServices } from "@headgate/http-adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { dashboards, dashboardSettings } from "../dashboard/dashboardPorts.ts"
import { isTokenAlone } from "../settings/settings.ts"
import { management, managementSettings, observabilitySettings, onMachine, over } from "../settings/withPorts.ts"
import { nodeFiles } from "../usage/platform.ts"
import * as files from "./apply.ts"
import { diff as diffFiles } from "./diff.ts"
import { exportFiles as exportAll } from "./export.ts"
import { schema as printSchema } from "./schema.ts"

const ports = Layer.mergeAll(HttpOrganizations.layer, HttpServices.layer, HttpPipes.layer, HttpApiKeys.layer).pipe(
  Layer.provide(management)
)

// With a token alone, nothing calls these ports.
const noPorts = Layer.mergeAll(
  Layer.mock(Organizations, {}),
  Layer.mock(Services, {}),
  Layer.mock(Pipes, {}),
  Layer.mock(ApiKeys, {})
)

const portsOrNone = Layer.unwrap(Effect.map(isTokenAlone, (isAlone) => (isAlone ? noPorts : ports)))

// Dashboards are reached as by `headgate dashboard`. With a token alone, the commands check that there is nothing else.
const settings = Effect.flatMap(isTokenAlone, (isAlone) =>
  isAlone ? observabilitySettings : Effect.andThen(managementSettings, dashboardSettings)
)

const withPorts = over(Layer.mergeAll(portsOrNone, dashboards, nodeFiles), settings)

export const diff = { command: withPorts(diffFiles) }

export const apply = { command: withPorts(files.apply) }

export const exportFiles = { command: withPorts(exportAll) }

export const schema = { command: onMachine(printSchema) }
