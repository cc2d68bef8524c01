import { type BelowService, type PortError, ServiceAddress } from "@headgate/core"
import type { ManagementConnection, ObservabilityConnection } from "@headgate/http-adapter"
import type { PortBelowService } from "@headgate/http-adapter/ports"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import { validateInput } from "./Input.ts"
import type { Run } from "./Runner.ts"
import type { BelowServiceClient } from "./BelowServiceClient.ts"

/** What gives the port that a method calls. */
export type PortOf<Port, R> = Effect.Effect<Port, PortError, R>

/** A noun of a client: the methods of one port. */
export interface Noun<Identifier, Port, Connection, Methods> {
  /** The port, for an adapter that is a layer. */
  readonly port: Context.Key<Identifier, Port>
  /** The port over a connection. */
  readonly overHttp: (connection: Connection) => Port
  /** The methods over the port. */
  readonly methods: <R>(run: Run<R>, port: PortOf<Port, R>) => Methods
}

/** The identifier of a port of core. */
interface PortIdentifier {
  readonly Service: unknown
}

/** A noun of the management API. */
export type ManagementNoun<Id extends PortIdentifier, Methods> = Noun<
  Id,
  Id["Service"],
  ManagementConnection["Service"],
  Methods
>

/** A noun of the management API whose methods are those of a port of each service. */
export type ServiceNoun<Id extends PortIdentifier, Methods> = Noun<
  BelowService<Id>,
  PortBelowService<Id["Service"]>,
  ManagementConnection["Service"],
  BelowServiceClient<Methods>
>

/** A noun of the observability API. */
export type ObservabilityNoun<Id extends PortIdentifier, Methods> = Noun<
  Id,
  Id["Service"],
  ObservabilityConnection["Service"],
  Methods
>

/** Nouns of the management API, by their names in a client. */
export type ManagementNouns<Methods> = {
  readonly [Name in keyof Methods]: Noun<any, any, ManagementConnection["Service"], Methods[Name]>
}

/** Nouns of the observability API, by their names in a client. */
export type ObservabilityNouns<Methods> = {
  readonly [Name in keyof Methods]: Noun<any, any, ObservabilityConnection["Service"], Methods[Name]>
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
  const validate = validateInput(ServiceAddress)
  return (run, ports) => ({
    of: (address) =>
      methods(
        run,
        Effect.flatMap(validate(address), (valid) => Effect.map(ports, ({ of }) => of(valid)))
      )
  })
}
