import * as Duration from "effect/Duration"
import * as Flag from "effect/cli/Flag"
import * as Option from "effect/Option"
import { type FlagValues, parseDuration } from "../flags.ts"
import { addressOf, allowedFlag, parseAllowed } from "./allowedSource.ts"

/** What a server does of the work over a Postgres that several share. */
const roles = ["all", "api", "mover"] as const

/** The most days of a history. */
const mostHistoryDays = 365

/** The flags of a server that moves rows. */
export const moverFlags = {
  warehouse: Flag.String("warehouse").pipe(
    Flag.withMetavar("https://...|embedded:directory"),
    Flag.withDescription(
      "Move the rows of new pipes to this ClickHouse [HEADGATE_WAREHOUSE_USER, HEADGATE_WAREHOUSE_PASSWORD]; ?database= is its default"
    ),
    Flag.optional
  ),
  warehouses: Flag.String("warehouses").pipe(
    Flag.withMetavar("file.json"),
    Flag.withDescription(
      'The same for each service: {"<service id or *>": {"url", "user", "password", "database"}}, readable by its owner only (0600)'
    ),
    Flag.optional
  ),
  insecureWarehouse: Flag.Boolean("insecure-warehouse").pipe(
    Flag.withDescription("Send the password of a warehouse over plain http to an address that is not loopback"),
    Flag.withDefault(false)
  ),
  simulateUnsupported: Flag.Boolean("simulate-unsupported").pipe(
    Flag.withDescription("With a warehouse: simulate new pipes whose source is not moved, in place of answering 400"),
    Flag.withDefault(false)
  ),
  allowSource: allowedFlag(
    "allow-source",
    "Host or network that pipes may read from; repeat the flag for more (default: any, if --host is loopback)"
  ),
  trustStorage: Flag.String("trust-storage").pipe(
    Flag.withMetavar("host"),
    Flag.withDescription(
      "Storage that no user controls: the warehouse gets access keys for it, and reads large Parquet; repeat the flag for more (those of clouds are known)"
    ),
    Flag.filterMap(
      (text) => Option.flatMap(parseAllowed(text), (one) => ("host" in one ? Option.some(one.host) : addressOf(one))),
      () => "the name or the address of a host, without a port"
    ),
    Flag.atLeast(1),
    Flag.withDefault<ReadonlyArray<string>>([])
  ),
  // No choice of literals: the completions of bash would offer its values to `key create --role`, too.
  role: Flag.String("role").pipe(
    Flag.withMetavar("all|api|mover"),
    Flag.withDescription(
      "For several servers over one Postgres: serve the API, move rows, or both (default); all of them take --warehouse"
    ),
    Flag.filterMap(
      (text) => Option.fromUndefinedOr(roles.find((role) => role === text)),
      () => "all, api or mover"
    ),
    Flag.withDefault("all" as const)
  ),
  retryTimeout: Flag.String("give-up").pipe(
    Flag.withMetavar("time"),
    Flag.withDescription(
      "How long a pipe tries to reach its source and its warehouse before it is Failed (default: 15m)"
    ),
    Flag.filterMap(
      (text) => Option.fromUndefinedOr(parseDuration(text)),
      () => "a time such as 30s or 15m"
    ),
    Flag.withDefault(Duration.minutes(15))
  ),
  historyDays: Flag.Int("history-days").pipe(
    Flag.withMetavar("days"),
    Flag.withDescription(
      "For how many days the history of pipes is kept; 0 keeps none, and removes what was kept (default: 7)"
    ),
    Flag.filterMap(
      (days) => (days >= 0 && days <= mostHistoryDays ? Option.some(days) : Option.none()),
      () => `a number of days from 0 to ${mostHistoryDays}`
    ),
    Flag.withDefault(7)
  )
}

export type MoverOptions = FlagValues<typeof moverFlags>

/** Where new pipes of this server move rows: the warehouse, or the file that names them. None: pipes are simulated. */
export const warehouseName = ({ warehouse, warehouses }: MoverOptions): Option.Option<string> =>
  Option.orElse(warehouse, () => Option.map(warehouses, (file) => `the warehouses in ${file}`))

/** What the address of an embedded engine begins with. */
export const embedded = "embedded:"

/** Whether the warehouse is the engine inside the server. */
export const isEmbedded = ({ warehouse }: Pick<MoverOptions, "warehouse">): boolean =>
  Option.exists(warehouse, (text) => text.startsWith(embedded))
