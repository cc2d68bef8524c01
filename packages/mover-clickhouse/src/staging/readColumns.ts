import type { FieldMapping } from "@headgate/core"
import { type ObjectFormat, WarehouseRefused } from "@headgate/mover"
import * as Effect from "effect/Effect"
import { type Column, holdsNull } from "../row/columnRule.ts"

/** A column, and the field of an object that it is read from. */
export interface ReadColumn extends Column {
  readonly field: string
}

const refuse = (message: string) => Effect.fail(new WarehouseRefused({ message }))

/** The columns that an object fills: each from the field of its name, or from the one that is mapped to it. */
export const readColumns = Effect.fnUntraced(function* (
  columns: ReadonlyArray<Column>,
  mappings: ReadonlyArray<FieldMapping>,
  format: ObjectFormat
) {
  if (mappings.length === 0) return columns.map((column): ReadColumn => ({ ...column, field: column.name }))
  if (format === "CSV" || format === "TabSeparated") {
    return yield* refuse(`fieldMappings: fields of ${format} have no names: use ${format}WithNames`)
  }
  const fields = new Map(
    mappings.flatMap(({ destinationField, sourceField }) =>
      destinationField == null || sourceField == null ? [] : [[destinationField, sourceField] as const]
    )
  )
  if (new Set(fields.values()).size < mappings.length) {
    return yield* refuse("fieldMappings: a field of an object goes to one column")
  }
  const read: Array<ReadColumn> = []
  for (const column of columns) {
    const field = fields.get(column.name)
    if (field !== undefined) read.push({ ...column, field })
    else if (!column.hasDefault && !holdsNull(column.type)) {
      return yield* refuse(`fieldMappings: no field goes to column ${column.name}, which has no default`)
    }
  }
  return read
})
