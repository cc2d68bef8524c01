import { ConsoleCode, ConsoleSession } from "@headgate/core/adapter"
import type { Dialect } from "../Dialect.ts"
import { noPayload, type Operation } from "../Operation.ts"
import { organizationParams, type OrganizationParams } from "./keyOperations.ts"

const organization = "/v1/organizations/:organizationId"

/**
 * The operations on the sessions of the console: the same in every dialect. They are an addition of this server. Contract:
 * docs/wire-contract.md#the-console.
 *
 * @example
 * ```ts
 * import { consoleOperations, neutral } from "@headgate/http-contract"
 *
 * const { method, path } = consoleOperations(neutral).createSession
 * console.log(method, path) // POST /v1/organizations/:organizationId/consoleSessions
 * ```
 */
export const consoleOperations = (_dialect: Dialect) =>
  ({
    createSession: {
      api: "management",
      method: "POST",
      path: `${organization}/consoleSessions`,
      permission: "console:open",
      params: organizationParams,
      payload: noPayload,
      success: ConsoleSession,
      errors: ["CONFLICT"],
      isRepeatable: false,
      stability: "beta",
      summary: "Make a session of the console for the API key that calls"
    } satisfies Operation<OrganizationParams, undefined, ConsoleSession>,
    createCode: {
      api: "management",
      method: "POST",
      path: `${organization}/consoleCodes`,
      permission: "console:open",
      params: organizationParams,
      payload: noPayload,
      success: ConsoleCode,
      errors: ["CONFLICT"],
      isRepeatable: false,
      stability: "beta",
      summary: "Make a code that opens one session of the console for the API key that calls"
    } satisfies Operation<OrganizationParams, undefined, ConsoleCode>
  }) as const
