import { type BelowService, type PortError, ServiceAddress } from "@headgate/core"
import type { Connection, ManagementApi, PortBelowService } from "@headgate/http-adapter/ports"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import { withDefaults } from "./Defaults.ts"
import { validateInput } from "./Input.ts"
import type { Run } from "./Runner.ts"
import type { BelowServiceClient } from "./BelowServiceClient.ts"

/** What gives the port that a method calls. */
export type PortOf<Port, R> = Effect.Effect<Port, PortError, R>

/** A noun of a client: the methods of one port. */
export interface Noun<Identifier, Port, Api, Methods> {
  /** The port, for an adapter that is a layer. */
  readonly port: Context.Key<Identifier, Port>
  /** The port over a connection. */
  readonly overHttp: (connection: Api) => Port
  /** The methods over the port. */
  readonly methods: <R>(run: Run<R>, port: PortOf<Port, R>) => Methods
}

/** The identifier of a port of core. */
interface PortIdentifier {
  readonly Service: unknown
}

/** A noun of the management API. */
export type ManagementNoun<Id extends PortIdentifier, Methods> = Noun<Id, Id["Service"], ManagementApi, Methods>

/** A noun of the management API whose methods are those of a port of each service. */
export type ServiceNoun<Id extends PortIdentifier, Methods> = Noun<
  BelowService<Id>,
  PortBelowService<Id["Service"]>,
  ManagementApi,
  BelowServiceClient<Methods>
>

/** A noun of the observability API. */
export type ObservabilityNoun<Id extends PortIdentifier, Methods> = Noun<Id, Id["Service"], Connection, Methods>

/** Nouns of the management API, by their names in a client. */
export type ManagementNouns<Methods> = {
  readonly [Name in keyof Methods]: Noun<any, any, ManagementApi, Methods[Name]>
}

/** Nouns of the observability API, by their names in a client. */
export type ObservabilityNouns<Methods> = {
  readonly [Name in keyof Methods]: Noun<any, any, Connection, Methods[Name]>
}

/** Makes the nouns of a client. */
export const nounsOf = <R, Methods extends object>(
  nouns: { readonly [Name in keyof Methods]: Noun<any, any, any, Methods[Name]> },
  run: Run<R>,
  portOf: (noun: Noun<any, any, any, unknown>) => PortOf<any, R>
): Methods =>
  // The compiler does not connect a name with its noun.
  Record.map<string, Noun<any, any, any, unknown>, unknown>(nouns, (noun) => noun.methods(run, portOf(noun))) as Methods

/** Makes the methods of a noun over its port. */
type MethodsOf<Port, Methods> = <R>(run: Run<R>, port: PortOf<Port, R>) => Methods

/** The methods of a noun for each service: those over the port of the service. */
export const belowService = <Port, Methods>(
  methods: MethodsOf<Port, Methods>
): MethodsOf<PortBelowService<Port>, BelowServiceClient<Methods>> => {
  const validate = withDefaults(Object.keys(ServiceAddress.fields), validateInput(ServiceAddress))
  return (run, ports) => ({
    of: (address) =>
      methods(
        run,
        Effect.flatMap(validate(address), (valid) => Effect.map(ports, ({ of }) => of(valid)))
      )
  })
}
