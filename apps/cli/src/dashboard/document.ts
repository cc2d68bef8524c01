import type { DashboardCreate, DashboardUpdate } from "@headgate/core"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import * as Output from "../output/Output.ts"
import { documentDecoder, fileFlag, readDocument } from "../settings/document.ts"
import { token } from "../settings/settings.ts"
import { misspellings } from "./misspellings.ts"

/** `--file`: the document of a dashboard. */
export const dashboardFile = fileFlag("dashboard.json", "name, tiles and tags")

/** Reads the JSON document of {@link dashboardFile}. */
export const readDashboardDocument = (file: string) => readDocument(file, token)

/** Makes the reader of `--file` for a kind of request. It warns of fields that look misspelt. */
export const dashboardReader = <A extends DashboardCreate | DashboardUpdate>(schema: Schema.Codec<A, unknown>) => {
  const decode = documentDecoder(schema)
  return Effect.fnUntraced(function* (file: string) {
    const request = yield* decode(yield* readDashboardDocument(file), `--file ${file}: this is not a dashboard`)
    for (const misspelling of misspellings(request)) {
      yield* Output.note(`warning: --file ${file}: unknown field ${misspelling} It is sent as it is.`)
    }
    return request
  })
}
