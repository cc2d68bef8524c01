import * as Predicate from "effect/Predicate"
import type { IssueCollector } from "../error/FieldIssue.ts"
import { checkFields, checkSource } from "./checkFields.ts"
import { sourceRules } from "./credentialFields.ts"
import { tableEngines } from "./Destination.ts"
import type { PipeCreate } from "./PipeCreate.ts"
import { PipeSource, type PipeSourceCreate, pipeSourceKinds, type PipeSourceName } from "./PipeSource.ts"
import type { FieldRule, FieldRules } from "./source/FieldRule.ts"

const required: FieldRule = { isRequired: true }

/** The rule of the name of a pipe. */
export const nameRules: FieldRules = { name: { isRequired: true, maxLength: 255 } }

/** The rules of `fieldMappings`. */
export const mappingRules: FieldRules = {
  fieldMappings: { fields: { sourceField: required, destinationField: required } }
}

/** The rules of `columns` of a destination. */
export const columnsRule: FieldRule = { fields: { name: required, type: required } }

/** The rules of the destination of a streaming pipe. */
const streamingDestination: FieldRules = {
  database: required,
  table: required,
  managedTable: required,
  columns: { isRequired: true, ...columnsRule },
  tableDefinition: {
    fields: {
      engine: {
        fields: {
          type: { isRequired: true, values: tableEngines },
          columnIds: { isRequired: { field: "type", is: ["SummingMergeTree"] } }
        }
      }
    }
  }
}

/** The rules of the destination of a database pipe: each of its tables has a target of its own. */
const databaseDestination: FieldRules = {
  database: required,
  table: { refusal: "Expected none for a database pipe: name targetTable in tableMappings" }
}

const streamingKinds: ReadonlyArray<PipeSourceName> = ["kafka", "kinesis", "objectStorage", "pubsub"]

/** Whether pipes of this kind of source read a stream or files, and write to one table; the others copy tables of a database. */
export const isStreaming = (kind: PipeSourceName): boolean => streamingKinds.includes(kind)

const destinationRules = (kind: PipeSourceName): FieldRules =>
  isStreaming(kind) ? streamingDestination : databaseDestination

/**
 * The rules of a request for a new pipe that reads from this kind of source, beyond the types of its fields. The rules of
 * one `type` of source are not among them.
 *
 * @example
 * ```ts
 * import { pipeCreateRules } from "@headgate/core/adapter"
 *
 * console.log(pipeCreateRules("kafka")["name"]) // { isRequired: true, maxLength: 255 }
 * ```
 */
export const pipeCreateRules = (kind: PipeSourceName): FieldRules => {
  const { authentications, fields } = sourceRules[kind]
  const authentication = authentications && { ...fields["authentication"], values: Object.keys(authentications) }
  return {
    ...nameRules,
    ...mappingRules,
    source: {
      isRequired: true,
      fields: { [kind]: { fields: { ...fields, ...(authentication && { authentication }) } } }
    },
    destination: { isRequired: true, fields: destinationRules(kind) }
  }
}

/** Finds what is wrong with the source of a request, which must be exactly one of some kinds; returns the kind. */
const checkSourceOf = (
  found: IssueCollector,
  kinds: ReadonlyArray<PipeSourceName>,
  source: PipeSourceCreate
): PipeSourceName | undefined => {
  const kind = kinds.find((one) => one === PipeSource.kind(source))
  if (kind === undefined) found.report({ path: "source", message: `Expected exactly one of ${kinds.join(", ")}` })
  else checkSource(found, sourceRules[kind], source[kind], ["source", kind])
  return kind
}

/** Finds what is wrong with a source that must be a stream or files. */
export const checkStreamingSource = (found: IssueCollector, source: PipeSourceCreate): void =>
  void checkSourceOf(found, streamingKinds, source)

/** Finds what is wrong with a request for a new pipe; returns the kind of its source. */
export const checkCreate = (found: IssueCollector, request: PipeCreate): PipeSourceName | undefined => {
  checkFields(found, { ...nameRules, ...mappingRules }, request, [])
  const kind = checkSourceOf(found, pipeSourceKinds, request.source)
  if (kind === undefined) return undefined
  const given = Predicate.isNotNullish(request.destination) ? request.destination : {}
  checkFields(found, destinationRules(kind), given, ["destination"])
  return kind
}
