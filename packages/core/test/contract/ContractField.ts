/**
 * What the contract writes in the "Type" column of a field. `strings` and `objects` are arrays of these; a `uuid` and a
 * `date-time` are strings of that form. `anything` is what a schema passes on, and `list` a list of it.
 */
export type ContractType =
  | "string"
  | "uuid"
  | "date-time"
  | "integer"
  | "number"
  | "boolean"
  | "strings"
  | "object"
  | "objects"
  | "anything"
  | "list"

/** The fields of a resource as the contract lists them, by path; `[0]` stands for every element of an array. */
export type ContractFields = Readonly<Record<string, ContractType>>
