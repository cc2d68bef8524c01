import * as Core from "@headgate/core"
import { type AnyOperation, dashboardRoleOperations, neutral, operations } from "@headgate/http-contract"
import { chartSchemas } from "@headgate/core/adapter"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as Struct from "effect/Struct"
import { hasAddress, requestSchema } from "../src/requestSchema.ts"
import { annotation, type DataType } from "./DataTypes.ts"

const output = (schema: Schema.Constraint): DataType => ({ schema, direction: "output" })
const input = (schema: Schema.Constraint): DataType => ({ schema, direction: "input" })

const address = (schema: Schema.Constraint): DataType => ({ ...input(schema), hasDefaults: true })

const elementOf = (ast: SchemaAST.AST): SchemaAST.AST => (SchemaAST.isArrays(ast) ? (ast.rest[0] ?? ast) : ast)

/** A type under the name that its schema has, if it has one. */
const named = (ast: SchemaAST.AST, type: DataType): ReadonlyArray<readonly [string, DataType]> => {
  const name = annotation(ast, "identifier")
  return name === undefined ? [] : [[name, type]]
}

// Methods below a service take what those of the table of `/api/v2` take. The roles of dashboards are served below a service alone.
const tables: ReadonlyArray<{ readonly [name: string]: AnyOperation }> = [
  ...Object.values(operations(neutral)),
  dashboardRoleOperations(neutral)
]

const operationTypes = tables
  .flatMap((table) => Object.values(table))
  .filter(({ path }) => !path.includes(`/:serviceId/${neutral.stackSegment}/`))
  .flatMap((operation) => {
    const success = elementOf(operation.success.ast)
    return [
      ...named(success, output(Schema.make(success))),
      ...named(operation.payload.ast, {
        ...input(requestSchema(operation)),
        hasDefaults: hasAddress(operation),
        payload: operation.payload.ast
      })
    ]
  })

/**
 * The schema of each type of the package that is plain data: requests and results of the operations, and what has no name in
 * them. A test compares them with the types of the sources.
 */
export const packageTypes: Readonly<Record<string, DataType>> = {
  // The data of charts and found rows have narrower types than their schemas: those of `ChartsClient`.
  ...Struct.omit(Object.fromEntries(operationTypes), ["ChartData", "FoundRows"]),
  ChartColumn: output(Core.ChartColumn),
  ChartSeries: input(chartSchemas.ChartSeries),
  ChartSearch: input(chartSchemas.ChartSearch),
  OrganizationAddress: address(Schema.Struct({ organizationId: Core.OrganizationId })),
  ServiceAddress: address(Core.ServiceAddress),
  PipeAddress: address(Core.PipeAddress),
  ApiKeyAddress: address(Core.ApiKeyAddress),
  RoleAddress: address(Core.RoleAddress),
  ReversePrivateEndpointAddress: address(Core.ReversePrivateEndpointAddress),
  TileConfig: input(Core.TileConfig),
  Snapshot: output(Core.Snapshot),
  PipeInput: input(Core.Pipe),
  DashboardInput: input(Core.Dashboard),
  SnapshotInput: input(Core.Snapshot)
}
