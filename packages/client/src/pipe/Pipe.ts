import type * as Core from "@headgate/core"
import type { Input } from "../Input.ts"
import type { Plain } from "../Plain.ts"

/**
 * A pipe: it moves data continuously from a source into a table of a managed database service. Times are RFC 3339
 * strings, `source.objectStorage.connectionString` is a `Secret`. Only `id`, `serviceId`, `name` and `state` are sure
 * to be there.
 */
export type Pipe = Plain<Core.Pipe>

/** Where a pipe lives: three UUIDs. */
export type PipeAddress = Input<Core.PipeAddress>
