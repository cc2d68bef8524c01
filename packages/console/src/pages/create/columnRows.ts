/** A column of the destination table, and the field of the source that goes there. */
export interface ColumnRow {
  /** The field; `undefined` for a column that was added by hand: it takes the field with its name. */
  readonly field: string | undefined
  readonly name: string
  readonly type: string
  readonly isLeftOut: boolean
}

/** A field that was discovered. */
export interface DiscoveredField {
  readonly name: string
  readonly type: string
}

/** The fields of an answer that have a name and a type. */
export const fieldsIn = (
  fields:
    | ReadonlyArray<{ readonly name?: string | null | undefined; readonly type?: string | null | undefined }>
    | null
    | undefined
): ReadonlyArray<DiscoveredField> =>
  (fields ?? []).flatMap(({ name, type }) =>
    typeof name === "string" && typeof type === "string" ? [{ name, type }] : []
  )

/** The columns for the fields of a source. What was said of a field before stays, and so do columns that were added by hand. */
export const rowsOfFields = (
  fields: ReadonlyArray<DiscoveredField>,
  before: ReadonlyArray<ColumnRow>
): ReadonlyArray<ColumnRow> => {
  const known = new Map(before.flatMap((row) => (row.field === undefined ? [] : [[row.field, row]])))
  return [
    ...fields.map(({ name, type }) => known.get(name) ?? { field: name, name, type, isLeftOut: false }),
    ...before.filter(({ field }) => field === undefined)
  ]
}

/** The columns that the table gets. */
export const keptRows = (rows: ReadonlyArray<ColumnRow>): ReadonlyArray<ColumnRow> =>
  rows.filter(({ isLeftOut }) => !isLeftOut)

/** What the request says of the columns. */
export const columnsOf = (rows: ReadonlyArray<ColumnRow>) => {
  const kept = keptRows(rows)
  return {
    columns: kept.map(({ name, type }) => ({ name: name.trim(), type: type.trim() })),
    fieldMappings: kept.flatMap(({ field, name }) =>
      field === undefined || field === name.trim() ? [] : [{ sourceField: field, destinationField: name.trim() }]
    )
  }
}

/** What is wrong with the columns, by the path of each in the request. */
export const columnErrors = (rows: ReadonlyArray<ColumnRow>): Readonly<Record<string, string>> => {
  const { columns } = columnsOf(rows)
  if (columns.length === 0) return { "destination.columns": "The table needs a column." }
  const errors: Record<string, string> = {}
  for (const [index, { name, type }] of columns.entries()) {
    if (name === "") errors[`destination.columns[${index}].name`] = "Enter a name."
    else if (columns.findIndex((column) => column.name === name) < index)
      errors[`destination.columns[${index}].name`] = "Another column has this name."
    if (type === "") errors[`destination.columns[${index}].type`] = "Enter a type."
  }
  return errors
}

/** What is wrong with a sorting key of these columns, by the path of each of its columns. */
export const keyErrors = (
  rows: ReadonlyArray<ColumnRow>,
  sortingKey: ReadonlyArray<unknown>
): Readonly<Record<string, string>> => {
  const { columns } = columnsOf(rows)
  return Object.fromEntries(
    sortingKey.flatMap((name, index) => {
      const path = `destination.tableDefinition.sortingKey[${index}]`
      const column = columns.find((one) => one.name === name)
      if (column === undefined) return [[path, "The table has no such column."]]
      if (column.type.startsWith("Nullable(")) return [[path, "The column takes null, and a sorting key does not."]]
      return sortingKey.indexOf(name) < index ? [[path, "It is in the key already."]] : []
    })
  )
}
