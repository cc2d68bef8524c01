import type { EngineFailure } from "@headgate/clickhouse"
import { WarehouseError, WarehouseRefused } from "@headgate/mover"

/** The engine's numbers of errors that this adapter acts on. */
const errorCodes = {
  unknownSetting: 115,
  readonly: 164,
  settingConstraint: 452,
  accessDenied: 497,
  authenticationFailed: 516
}

const refusals: Readonly<Record<number, string>> = {
  [errorCodes.unknownSetting]: "the warehouse is too old for a setting that delivery exactly once needs",
  [errorCodes.readonly]: "the profile of the warehouse's user refuses a setting that delivery exactly once needs",
  [errorCodes.settingConstraint]:
    "the profile of the warehouse's user refuses a setting that delivery exactly once needs",
  [errorCodes.accessDenied]: "the warehouse's user lacks a grant",
  [errorCodes.authenticationFailed]: "the warehouse refuses its user or password"
}

/** What a failure is to the mover: settings, grants and credentials stay as they are however often they are tried. */
export const warehouseFailure = ({ code, message }: EngineFailure): WarehouseError | WarehouseRefused => {
  const refusal = code === undefined ? undefined : refusals[code]
  return refusal === undefined
    ? new WarehouseError({ message })
    : new WarehouseRefused({ message: `${refusal}: ${message}` })
}

/** Whether the warehouse refuses a statement because of its user or its version, whatever the statement says. */
export const isOfUser = ({ code }: EngineFailure): boolean => code !== undefined && code in refusals

// The engine has too much to do: timeouts, too many queries, memory.
const busy = new Set([159, 202, 203, 209, 210, 241])

/** What a failure of a statement is that was made of a caller's fields: the fields are wrong, unless the engine is busy. */
export const fieldFailure =
  (what: string) =>
  (failure: EngineFailure): WarehouseError | WarehouseRefused =>
    failure.code === undefined || busy.has(failure.code)
      ? warehouseFailure(failure)
      : new WarehouseRefused({ message: `${what}: ${failure.message}` })
