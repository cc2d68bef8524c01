import type { SourceError } from "@headgate/mover"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"

/** A table that is copied. */
export interface PostgresTable {
  readonly schema: string
  readonly table: string
  /** The table of the warehouse that receives its rows. */
  readonly target: string
  readonly excluded: ReadonlyArray<string>
  /** The sorting key of the target, in place of the primary key; it holds all columns of the primary key. */
  readonly sortingKeys?: ReadonlyArray<string>
  /** The column by which a snapshot is divided. By default the first one of the key. */
  readonly partitionKey?: string
  /** The partition key of the target, as an SQL expression. */
  readonly partitionBy?: string
}

/** What a source reads, and how it connects. */
export interface PostgresOptions {
  /** A host name or an IP address. A folder (`/run/postgresql`) is that of a Unix socket: {@link postgresOptionsOf} refuses it. */
  readonly host: string
  readonly port: number
  readonly database: string
  readonly username: string
  readonly password: Redacted.Redacted
  /**
   * Absent: without encryption. `ca`: what verifies the server, in PEM, in place of the authorities that Node knows. `host`: the
   * name that the certificate has, if it is not the host. `isVerified: false` takes any certificate.
   */
  readonly tls?: { readonly ca?: string; readonly host?: string; readonly isVerified: boolean }
  /** What is copied: the tables as they are and their changes, one of the two. */
  readonly mode: "both" | "snapshot" | "changes"
  /** `isOwn`: the pipe creates it, and drops it when it is deleted. */
  readonly publication: { readonly name: string; readonly isOwn: boolean }
  readonly slot: { readonly name: string; readonly isOwn: boolean; readonly isFailover: boolean }
  readonly tables: ReadonlyArray<PostgresTable>
  /** Whether columns that take NULL stay nullable. If not, NULL becomes the default value of the type. */
  readonly keepsNulls: boolean
  /** About how many rows a part of a snapshot has. */
  readonly rowsPerPart: number
  /** The address to connect to for a host, or why none is allowed. By default the host itself. */
  readonly resolve?: (host: string) => Effect.Effect<string, SourceError>
}
