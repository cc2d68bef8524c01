import { type JsonSchema, type OpenApi, bodyOf } from "../../data/openApi.ts"
import {
  choiceOf,
  type FormNode,
  type Member,
  nodeOf,
  type ObjectNode,
  withMember
} from "../../parts/schemaForm/schemaNode.ts"
import { type OfferedKind, offeredKinds } from "./sourceKinds.ts"

/** The parts of the request for a new pipe, as forms. */
export interface PipeForm {
  readonly request: ObjectNode
  readonly kinds: ReadonlyArray<OfferedKind>
  readonly destination: ObjectNode
  /** What else can be said of a pipe: how it samples, its size, its settings, whether it begins paused. */
  readonly options: ObjectNode
}

const empty: ObjectNode = { kind: "object", members: [] }
const asObject = (node: FormNode | undefined): ObjectNode => (node?.kind === "object" ? node : empty)
const memberOf = (node: ObjectNode, name: string): Member | undefined =>
  node.members.find((member) => member.name === name)

/** The form of the body of the operation that creates a pipe; `undefined` if the document has none. */
export const pipeFormOf = (document: OpenApi, method: string, path: string): PipeForm | undefined => {
  const body: JsonSchema | undefined = bodyOf(document, method, path)
  if (body === undefined) return undefined
  const request = asObject(nodeOf(body, document.components.schemas))
  const source = memberOf(request, "source")
  const ofSource = asObject(source?.node)
  const kinds = offeredKinds(ofSource)
  const common = ofSource.members.filter(({ name }) => kinds.every(({ kind }) => kind !== name))
  const rest = request.members.filter(({ name }) => !["name", "source", "destination", "fieldMappings"].includes(name))
  return {
    request,
    kinds,
    destination: asObject(memberOf(request, "destination")?.node),
    options: {
      kind: "object",
      members: [
        ...(source === undefined || common.length === 0
          ? []
          : [{ ...source, isRequired: false, description: "", node: { kind: "object" as const, members: common } }]),
        ...rest
      ]
    }
  }
}

/**
 * The form of the destination: of a database alone its name and the roles, for its tables are named by the source; else all but the columns,
 * with a sorting key of the columns that there are.
 */
export const destinationOf = (
  { destination }: PipeForm,
  hasFields: boolean,
  columns: ReadonlyArray<string>
): ObjectNode => {
  const required = ["database", ...(hasFields ? ["table", "managedTable"] : [])]
  const members = destination.members
    .filter(({ name }) => (hasFields ? name !== "columns" : ["database", "roles"].includes(name)))
    .map((member) => ({ ...member, isRequired: required.includes(member.name) }))
  return withMember({ kind: "object", members }, "tableDefinition", (table) => ({
    ...table,
    node: withMember(asObject(table.node), "sortingKey", (key) => ({
      ...key,
      node: { kind: "list", item: choiceOf(columns) }
    }))
  }))
}

/** Whether a field of the destination is shown at once. */
export const isFirstOfDestination = (path: string): boolean =>
  [
    "destination.tableDefinition",
    "destination.tableDefinition.sortingKey",
    "destination.tableDefinition.engine",
    "destination.tableDefinition.engine.type"
  ].includes(path)
