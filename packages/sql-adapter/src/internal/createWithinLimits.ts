import type { Forbidden, OrganizationId } from "@headgate/core"
import type { CountedKind } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import { makeCheckLimits } from "./checkLimits.ts"
import { CreationTransaction } from "./creationTransaction.ts"
import { makeRequireOrganization } from "./requireOrganization.ts"
import { writeTransaction } from "./transaction.ts"

/**
 * The transaction of a creation: it requires the organization, or fails with `missing`, then runs `insert`, then checks the limits
 * of the organization. Under an `Idempotency-Key`, the transaction goes on: it must be the last that a creation does with the database.
 */
export const makeCreateWithinLimits = (sql: SqlClient.SqlClient) => {
  const requireOrganization = makeRequireOrganization(sql)
  const checkLimits = makeCheckLimits(sql)
  const write = writeTransaction(sql)
  return <A, E, R, E2 = Forbidden>(
    created: CountedKind,
    organizationId: OrganizationId,
    insert: Effect.Effect<A, E, R>,
    missing?: () => E2
  ) =>
    Effect.flatMap(CreationTransaction, (run = write) =>
      run(
        Effect.andThen(
          requireOrganization(organizationId, missing),
          Effect.tap(insert, () => checkLimits(created, organizationId))
        )
      )
    )
}
