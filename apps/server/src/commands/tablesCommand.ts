import { escapeTerminalLine, jsonText, table, Width, write } from "@headgate/command-line"
import { Pipes } from "@headgate/core"
import { type PipeTable, PipeTables } from "@headgate/core/adapter"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Struct from "effect/Struct"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { UsageError } from "../StartupError.ts"
import { storeFlags } from "../store/chooseStore.ts"
import { chooseOrganization, organizationFlag } from "./organizationFlag.ts"
import { jsonFlag } from "./output.ts"
import { requireYes, yesFlag } from "./removalFlag.ts"

/** A table with whether its pipe is still there: that pipe writes it down again when it next opens the table. */
const describe = Effect.fnUntraced(function* (opened: PipeTable) {
  const pipe = Pipes.use((pipes) => pipes.get(opened))
  const isDeleted = yield* pipe.pipe(
    Effect.as(false),
    Effect.catchTag("PipeNotFound", () => Effect.succeed(true))
  )
  return { ...Struct.omit(opened, ["knownBy"]), isDeleted }
})

const list = Command.make(
  "list",
  { ...storeFlags, organization: organizationFlag, json: jsonFlag },
  Effect.fnUntraced(function* ({ json, organization }) {
    const tables = yield* PipeTables
    const found = yield* tables.list(Option.isSome(organization) ? yield* chooseOrganization(organization) : undefined)
    const described = yield* Effect.forEach(found, describe)
    const text = table(
      [
        ["PIPE", "DATABASE", "TABLE", "WAREHOUSE", "CREATED", "PIPE IS", "ORGANIZATION"],
        ...described.map(({ database, isCreated, isDeleted, organizationId, pipeId, table, warehouse }) => [
          pipeId,
          escapeTerminalLine(database),
          escapeTerminalLine(table),
          escapeTerminalLine(warehouse),
          isCreated ? "by the pipe" : "before it",
          isDeleted ? "deleted" : "there",
          organizationId
        ])
      ],
      yield* Width
    )
    yield* write(json ? jsonText(described, 2) : text)
  })
).pipe(Command.withDescription("List the tables that pipes have opened: charts read those that a pipe created"))

const forget = Command.make(
  "forget",
  {
    ...storeFlags,
    database: Argument.String("database").pipe(Argument.withDescription("Its database, as `list` shows it")),
    table: Argument.String("table").pipe(Argument.withDescription("Its name")),
    of: Flag.String("of-warehouse").pipe(
      Flag.withMetavar("name"),
      Flag.withDescription("The warehouse, as `list` shows it; may be left out if only one has such a table"),
      Flag.optional
    ),
    yes: yesFlag
  },
  Effect.fnUntraced(function* ({ database, of, table: name, yes }) {
    const tables = yield* PipeTables
    const found = (yield* tables.list()).filter(
      (one) => one.database === database && one.table === name && (Option.isNone(of) || one.warehouse === of.value)
    )
    const what = `${JSON.stringify(database)} ${JSON.stringify(name)}`
    const warehouses = Array.from(new Set(found.map(({ warehouse }) => warehouse)))
    const [warehouse] = warehouses
    if (warehouse === undefined) return yield* new UsageError({ message: `no pipe has opened the table ${what}` })
    if (warehouses.length > 1) {
      return yield* new UsageError({
        message: `several warehouses have a table ${what}: pass --of-warehouse with one of ${warehouses.join(", ")}`
      })
    }
    yield* requireYes(yes, `the record of the table ${what} of the warehouse ${warehouse}`)
    const described = yield* Effect.forEach(found, describe)
    yield* tables.forget(warehouse, database, name)
    yield* Console.error(
      `forgot the table ${what} of the warehouse ${warehouse}: charts read it no more. The table itself stays`
    )
    for (const { isDeleted, pipeId } of described) {
      if (!isDeleted) {
        yield* Console.error(`The pipe ${pipeId} is still there: charts read the table again when it next opens it.`)
      }
    }
  })
).pipe(Command.withDescription("Forget a table, such as that of a deleted pipe, so that charts read it no more"))

/** `headgate-server tables`: works on the store directly, whether a server runs or not. */
export const tablesCommands = { list, forget }
