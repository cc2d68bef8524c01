import { clickhouse, openApi } from "@headgate/http-contract"
import { readFileSync } from "node:fs"
import { decodeOpenApi, type OpenApi } from "./OpenApi.ts"

/** The published documents of the real service, in the order in which the command that extracts them takes them. */
export const documentNames = ["management", "observability"] as const
export type DocumentName = (typeof documentNames)[number]

/** Where what was extracted of a published document stands. */
export const extractedFile = (name: DocumentName): URL => new URL(`../published/${name}.json`, import.meta.url)

export const readDocument = (file: string | URL): OpenApi => decodeOpenApi(JSON.parse(readFileSync(file, "utf8")))

/** Our document, as a client receives it. */
export const ourDocument = (): OpenApi => decodeOpenApi(JSON.parse(JSON.stringify(openApi(clickhouse))))
