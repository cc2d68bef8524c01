import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import type { DashboardRoleNotFound } from "../error/NotFound.ts"
import { DashboardRoleId } from "../id/dashboard.ts"
import { knownString } from "../schema/fieldSchemas.ts"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { boundedText } from "./documentFields.ts"
import type { OwnedDocuments } from "./OwnedDocuments.ts"

const actions = ["create", "read", "update", "delete", "manage"] as const
const documents = ["Alert", "Connection", "Dashboard", "SavedSearch", "Source", "Webhook", "Notebook"] as const
const subjects = [...documents, "Team", "User", "Role", "SchemaMigration", "all"] as const

const text = (description: string) => Schema.String.annotate({ description })

const action = { description: "The action that is granted or denied." }
const subject = { description: "What the action applies to." }
const integration = { description: "Whether it is about the documents or about the rows of the database." }
const qualifiers = {
  fields: nullish(Schema.Array(Schema.String), "The fields that it is limited to."),
  inverted: nullish(Schema.Boolean, "Whether it denies the action.")
}

const Permission = looseStruct({
  action: knownString(actions).annotate(action),
  subject: knownString(subjects).annotate(subject),
  integration: knownString(["mongodb", "clickhouse"]).annotate(integration),
  ...qualifiers,
  conditions: nullish(looseStruct({}), "The documents or the rows that it is limited to.")
}).pipe(withIdentifier("DashboardPermission", "What a role grants or denies."))

const requested = <Conditions extends Schema.Constraint, const Integration extends string>(
  identifier: string,
  name: Integration,
  conditions: Conditions
) =>
  looseStruct({
    action: Schema.Literals(actions).annotate(action),
    subject: Schema.Literals(subjects).annotate(subject),
    integration: Schema.Literal(name).annotate(integration),
    ...qualifiers,
    conditions: nullish(conditions, "What it is limited to.")
  }).pipe(withIdentifier(identifier, "What a role is to grant or deny."))

const Pattern = looseStruct({
  $regex: text("The regular expression."),
  $options: Schema.optionalKey(text("Its options, such as `i`."))
}).pipe(withIdentifier("DashboardPattern", "A regular expression that a field matches."))

const Rows = looseStruct({
  connection: text("The id of the connection."),
  from: looseStruct({ databaseName: text("The database."), tableName: text("The table.") }).pipe(
    withIdentifier("DashboardTable", "A table.")
  ),
  where: text("The condition on rows."),
  whereLanguage: Schema.Literals(["sql", "lucene"]).annotate({ description: "The language of `where`." })
}).pipe(withIdentifier("DashboardRows", "Rows of a table."))

const description = nullish(Schema.String, "What the role is for.")

/**
 * A role of those who use dashboards: not a `Role` of the organization. It is stored, and grants nothing. Contract:
 * docs/wire-contract.md#roles-of-dashboards.
 */
export const DashboardRole = looseStruct({
  id: DashboardRoleId,
  name: text("The name of the role."),
  description,
  permissions: Schema.Array(Permission).annotate({ description: "What it grants and denies." }),
  isPredefined: Schema.Boolean.annotate({
    description: "Whether it came with the service. A role that is created here did not."
  }),
  createdAt: nullish(Schema.String.annotate({ format: "date-time" }), "When the role was created."),
  updatedAt: nullish(Schema.String.annotate({ format: "date-time" }), "When the role was last replaced.")
}).pipe(withIdentifier("DashboardRole", "A role of those who use dashboards."))
export type DashboardRole = typeof DashboardRole.Type

const name = boundedText(255, "The name of the role")
const permissions = Schema.Array(
  Schema.Union([
    requested(
      "DashboardDocumentPermission",
      "mongodb",
      Schema.Record(Schema.String, Schema.Union([Schema.String, Pattern]))
    ),
    requested("DashboardRowPermission", "clickhouse", Rows)
  ]).annotate({ message: 'Expected an object whose "integration" is "mongodb" or "clickhouse"' })
).annotate({ description: "What it is to grant and deny." })

/** The request for a role of dashboards. Contract: docs/wire-contract.md#roles-of-dashboards. */
export const DashboardRoleCreate = looseStruct({ name, description, permissions }).pipe(
  withIdentifier("DashboardRoleCreate", "The request for a role of dashboards.")
)
export type DashboardRoleCreate = typeof DashboardRoleCreate.Type

/** The request to replace the permissions of a role of dashboards. Contract: docs/wire-contract.md#roles-of-dashboards. */
export const DashboardRoleUpdate = looseStruct({ name: Schema.optionalKey(name), description, permissions }).pipe(
  withIdentifier("DashboardRoleUpdate", "The new permissions of a role. A name or description that is absent stays.")
)
export type DashboardRoleUpdate = typeof DashboardRoleUpdate.Type

/**
 * The port to the roles of dashboards of one organization, as `Connections` is to its connections. Callers reach it through a
 * service: `BelowService(DashboardRoles)`.
 *
 * @example
 * ```ts
 * import { BelowService, DashboardRoles, type ServiceAddress } from "@headgate/core"
 *
 * export const listOf = (address: ServiceAddress) => BelowService(DashboardRoles).use((roles) => roles.of(address).list())
 * ```
 */
export class DashboardRoles extends Context.Service<
  DashboardRoles,
  OwnedDocuments<
    { readonly dashboardRoleId: DashboardRoleId },
    DashboardRoleCreate,
    DashboardRole,
    DashboardRoleNotFound,
    DashboardRoleUpdate
  >
>()("@headgate/core/dashboard/DashboardRoles") {}
