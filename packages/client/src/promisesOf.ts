import type { InvalidRequest, PortError } from "@headgate/core"
import { RequestChecks } from "@headgate/core/adapter"
import { type AnyOperation, noPayload } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import * as SchemaAST from "effect/SchemaAST"
import * as Struct from "effect/Struct"
import type { CallOptions } from "./CallOptions.ts"
import { type CallPromise, callPromise, lazyList, type List } from "./CallPromise.ts"
import type { Addressed } from "./addresses.ts"
import { withDefaults } from "./Defaults.ts"
import { type Input, validateInput } from "./Input.ts"
import type { Plain } from "./Plain.ts"
import { hasAddress, paramNames, paramsSchema, requestSchema } from "./requestSchema.ts"
import type { Run } from "./Runner.ts"

type Params<Row extends AnyOperation> = Row["params"]["Type"]
type Payload<Row extends AnyOperation> = Row["payload"]["Type"]

type AddressedRequest<Value> = {} extends Addressed<Value> ? [request?: Addressed<Value>] : [request: Addressed<Value>]

type Request<Value> = [Value] extends [undefined] ? [] : [request: Input<Value>]

/** The arguments of a method before its options: its address and payload as one object, or an id and a payload. */
type Arguments<Row extends AnyOperation> =
  Params<Row> extends { readonly organizationId: unknown }
    ? AddressedRequest<[Payload<Row>] extends [undefined] ? Params<Row> : Params<Row> & Payload<Row>>
    : [...([keyof Params<Row>] extends [never] ? [] : [id: string]), ...Request<Payload<Row>>]

/** The method of a row, as a client has it. */
type MethodOf<Row extends AnyOperation> = (
  ...request: [...Arguments<Row>, options?: CallOptions]
) => Row["success"]["Type"] extends ReadonlyArray<infer Item>
  ? List<Plain<Item>>
  : CallPromise<Plain<Row["success"]["Type"]>>

type Table<Rows> = { readonly [Name in keyof Rows]: AnyOperation }

/** A table of which each row is a method of the client. */
type RowsOf<Client, Rows extends Table<Rows>> = {
  readonly [Name in keyof Rows & string]: Name extends keyof Client
    ? MethodOf<Rows[Name]> extends Client[Name]
      ? AnyOperation
      : `the row ${Name} is not the method ${Name} of the client`
    : `the client has no method of the row ${Name}`
}

/** A port with a method for each row. */
type PortOf<Rows> = { readonly [Name in keyof Rows]: (...args: ReadonlyArray<any>) => Effect.Effect<any, PortError> }

/** Reads the arguments of a method: those before its options become those of the port's method. */
interface Reader {
  readonly length: number
  readonly read: (given: ReadonlyArray<unknown>) => Effect.Effect<ReadonlyArray<unknown>, InvalidRequest>
}

const memoized = <A>(make: () => A): (() => A) => {
  let made: A | undefined
  return () => (made ??= make())
}

/** Reads the request of a method: its types over HTTP, where the service judges the values, and its values in memory. */
const readRequest = (operation: AnyOperation) => {
  const validate = {
    types: memoized(() => validateInput(requestSchema(operation, "types"))),
    values: memoized(() => validateInput(requestSchema(operation)))
  }
  return (request: unknown) => Effect.flatMap(RequestChecks, (checks) => validate[checks]()(request))
}

/** The address and the payload in one object. */
const oneRequest = (operation: AnyOperation): Reader => {
  const names = paramNames(operation)
  const validate = withDefaults(names, readRequest(operation))
  return {
    length: 1,
    read: ([request]) =>
      Effect.map(validate(request), (valid) =>
        operation.payload === noPayload ? [valid] : [Struct.pick(valid, names), Struct.omit(valid, names)]
      )
  }
}

/** The id, if the operation has one, and then the payload, if it has one. */
const idAndPayload = (operation: AnyOperation): Reader => {
  const validateParams = validateInput(paramsSchema(operation))
  const readers = [
    ...paramNames(operation).map((name) => (id: unknown) => validateParams({ [name]: id })),
    ...(operation.payload === noPayload ? [] : [readRequest(operation)])
  ]
  return {
    length: readers.length,
    read: Effect.fnUntraced(function* (given) {
      const values: Array<unknown> = []
      for (const [i, reader] of readers.entries()) values.push(yield* reader(given[i]))
      return values
    })
  }
}

/**
 * The methods of a client for the rows of a table. Each validates its request, calls the method of the port that has the name
 * of the row, and returns a promise, or a list where the port returns one. `Client` is the interface that they implement: a row
 * that differs from its method does not compile.
 */
export const promisesOf =
  <Client>() =>
  <Rows extends Table<Rows>, Port extends PortOf<Rows>, Id>(
    run: Run<Id>,
    port: Effect.Effect<Port, PortError, Id>,
    table: Rows & RowsOf<Client, Rows>
  ): Pick<Client, keyof Rows & keyof Client> => {
    const methods: object = Record.map<keyof Rows & string, AnyOperation, unknown>(table, (operation, name) => {
      const isList = SchemaAST.isArrays(operation.success.ast)
      let reader: Reader | undefined
      return (...given: ReadonlyArray<any>) => {
        reader ??= hasAddress(operation) ? oneRequest(operation) : idAndPayload(operation)
        const { length, read } = reader
        const call = Effect.flatMap(read(given.slice(0, length)), (args) =>
          Effect.flatMap(port, (port) => port[name](...args))
        )
        const send = () => run(call, given[length])
        return isList ? lazyList(send) : callPromise(send())
      }
    })
    // `RowsOf` has compared each row with its method.
    return methods as Pick<Client, keyof Rows & keyof Client>
  }
