import * as JsonPatch from "effect/JsonPatch"
import type * as Schema from "effect/Schema"
import { fullPipe } from "./fullPipe.ts"

const replace = (path: string, value: Schema.Json): Schema.Json =>
  JsonPatch.apply([{ op: "replace", path, value }], fullPipe)

/** The full pipe with one thing wrong, by what it is: who reads pipes refuses each of them. */
export const wrongPipes: Readonly<Record<string, Schema.Json>> = {
  "no id": JsonPatch.apply([{ op: "remove", path: "/id" }], fullPipe),
  "an id that is no UUID": replace("/id", "orders"),
  "a name that is a number": replace("/name", 7),
  "no state": replace("/state", null),
  "a time that is none": replace("/createdAt", "yesterday"),
  "columns that are no array": replace("/destination/columns", {}),
  "a column's name that is a number": replace("/destination/columns/2/name", 7),
  "a mapping that is text": replace("/fieldMappings/3", "id"),
  "half a replica": replace("/scaling/replicas", 1.5),
  "a setting that is text": replace("/settings/db_max_threads", "8"),
  "topics in an array": replace("/source/kafka/topics", ["orders"]),
  "a registry that is text": replace("/source/kafka/schemaRegistry", "https://registry.example.com"),
  "a flag that is text": replace("/source/objectStorage/isContinuous", "true"),
  "a sorting key that is a number": replace("/source/postgres/tableMappings/1/sortingKeys/0", 7)
}
