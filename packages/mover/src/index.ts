export { type MoveOptions, movePipe } from "./loop/movePipe.ts"
export { type MoverStatus } from "./loop/MoverStatus.ts"
export { type MoverEnd, type MoverOptions } from "./loop/runAttempts.ts"
export { type RestartFrom, restartPipe } from "./loop/restartPipe.ts"
export { type Generation, Ledger, type LedgerState, type Owner } from "./port/Ledger.ts"
export { type ObjectRanges, type Plan, type RangeLimits, type RangeObject, Source } from "./port/Source.ts"
export { type BadRow, type Destination, type LoggedPositions, Warehouse } from "./port/Warehouse.ts"
export {
  CannotContinue,
  LedgerChanged,
  LedgerError,
  type LedgerWriteError,
  type MoveError,
  ObjectRejected,
  OwnershipLost,
  PositionLost,
  RangeChanged,
  RowsRejected,
  SourceError,
  WarehouseError,
  WarehouseRefused
} from "./range/MoveError.ts"
export type { AccessKey, ObjectCompression, ObjectFormat, ObjectReference } from "./range/ObjectReference.ts"
export {
  describeRange,
  type PendingRange,
  type Position,
  type Range,
  type RecordedStaging,
  type Staged,
  type StagedPart,
  tokenOf
} from "./range/Range.ts"
export {
  checkBegin,
  checkDone,
  checkMoved,
  checkOwner,
  checkRecord,
  checkStaged,
  checkWithdraw,
  type LedgerPending
} from "./rule/ledgerRules.ts"
