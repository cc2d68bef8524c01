import { dialectNames } from "@headgate/http-contract"
import * as Flag from "effect/cli/Flag"

/** The flags of `headgate-server`. */
export const flags = {
  host: Flag.String("host").pipe(
    Flag.withMetavar("address"),
    Flag.withDescription("Address to listen on; any but a loopback one wants --insecure-http"),
    Flag.withDefault("127.0.0.1")
  ),
  port: Flag.Int("port").pipe(
    Flag.withMetavar("number"),
    Flag.withDescription("Port to listen on; 0 picks a free one"),
    Flag.filter(
      (port) => port >= 0 && port <= 65_535,
      (port) => `--port ${port}: expected a port from 0 to 65535`
    ),
    Flag.withDefault(7420)
  ),
  data: Flag.String("data").pipe(
    Flag.withMetavar("directory"),
    Flag.withDescription("Keep everything in a SQLite database in this directory (default: .headgate)"),
    Flag.optional
  ),
  memory: Flag.Boolean("memory").pipe(
    Flag.withDescription("Keep everything in memory: gone when the server ends"),
    Flag.withDefault(false)
  ),
  dialect: Flag.Literals("dialect", dialectNames).pipe(
    Flag.withDescription("How names are spelled on the wire: dbpipes or clickpipes"),
    Flag.withDefault("neutral" as const)
  ),
  import: Flag.String("import").pipe(
    Flag.withMetavar("file.json"),
    Flag.withDescription("Add what this snapshot holds and the store does not; importing twice changes nothing"),
    Flag.optional
  ),
  credentialsFile: Flag.String("credentials-file").pipe(
    Flag.withMetavar("file.json"),
    Flag.withDescription("Write newly minted credentials to this file too, readable by its owner only (0600)"),
    Flag.optional
  ),
  insecureHttp: Flag.Boolean("insecure-http").pipe(
    Flag.withDescription("Serve plain http on an address that is not loopback: credentials travel in clear"),
    Flag.withDefault(false)
  )
}

type FlagValue<F> = F extends Flag.Flag<infer A> ? A : never

/** What the command line says, parsed. */
export type Options = { readonly [Name in keyof typeof flags]: FlagValue<(typeof flags)[Name]> }
