import type { DashboardCreate, DashboardUpdate } from "@headgate/core"
import { configSchemas } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { documentDecoder, fileFlag, readDocument } from "../settings/document.ts"
import { token } from "../settings/settings.ts"

/** `--file`: the document of a dashboard. */
export const dashboardFile = fileFlag("dashboard.json", "name, tiles and tags")

/** Reads the document of {@link dashboardFile}. */
export const readDashboardDocument = (file: string) => readDocument(file, token)

/** Makes the reader of `--file` for a kind of request. */
export const dashboardReader = <A extends DashboardCreate | DashboardUpdate>(schema: Schema.Codec<A, unknown>) => {
  const decode = documentDecoder(schema, "a dashboard", configSchemas.DashboardUpdate)
  return Effect.fnUntraced(function* (file: string) {
    return yield* decode(yield* readDashboardDocument(file), `--file ${file}`)
  })
}
