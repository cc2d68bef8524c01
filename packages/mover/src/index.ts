export type { CopyOptions } from "./loop/CopyContext.ts"
export { copyPipe } from "./loop/copyPipe.ts"
export { objectsAtOnce } from "./loop/moveObject.ts"
export type { MoveOptions } from "./loop/MoveContext.ts"
export { movePipe } from "./loop/movePipe.ts"
export { type MoverEnd, MoverStatus } from "./loop/runAttempts.ts"
export { restartCopy } from "./loop/restartCopy.ts"
export { restartPipe } from "./loop/restartPipe.ts"
export {
  type Change,
  type ChangeFeed,
  ChangeSource,
  type CopiedTable,
  type SourceTable,
  type TableCheck,
  type TableSnapshot
} from "./port/ChangeSource.ts"
export {
  type AllowedSources,
  type Connector,
  type CopyLimits,
  type ExternalResources,
  noPipe,
  type ObjectSample,
  type RangesConnector,
  type RangesReader,
  type RetainedLog,
  type RowSample,
  type SourceConfig,
  type SourceReader,
  SourceRefused,
  type TablesConnector,
  type TablesReader
} from "./port/Connector.ts"
export { type Delivered, type Generation, Ledger, type LedgerState, type Owner } from "./port/Ledger.ts"
export { type DoneObject, type LastList, numberList, type ObjectList } from "./range/DoneObject.ts"
export {
  type ObjectListing,
  type ObjectRanges,
  type ObjectRecord,
  type Plan,
  type RangeLimits,
  type RangeObject,
  Source,
  type SourcePartition
} from "./port/Source.ts"
export {
  insertedColumns,
  type OpenedTable,
  type OpenTable,
  versionColumns,
  VersionedTables
} from "./port/VersionedTables.ts"
export { Leases, type MoverSession, type SavedMetrics, SessionExpired } from "./port/Leases.ts"
export { History, type HistoryNote } from "./port/History.ts"
export {
  type Destination,
  type InsertedRows,
  type LoggedObjects,
  type LoggedPositions,
  type RejectedRangeRow,
  type RejectedRow,
  type RejectionRecord,
  type StagedObject,
  Warehouse
} from "./port/Warehouse.ts"
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
  RejectionChanged,
  SourceError,
  WarehouseError,
  WarehouseRefused
} from "./range/MoveError.ts"
export type {
  AccessKey,
  ObjectAddress,
  ObjectCompression,
  ObjectFormat,
  ObjectReference
} from "./range/ObjectReference.ts"
export {
  type DeliveredRows,
  type KnownTables,
  type PendingRange,
  type Position,
  Range,
  type RecordedStaging,
  type RejectedRows,
  type Staged,
  type StagedPart
} from "./range/Range.ts"
export { ledgerRules } from "./rule/ledgerRules.ts"
export { NotedObjects } from "./range/NotedObjects.ts"
export { rowNumbers } from "./range/rowNumbers.ts"
export { UnknownFields } from "./range/UnknownFields.ts"
export { type Decision, resumeBy } from "./range/Decision.ts"
export { addFields } from "./message/addFields.ts"
export { makeMessageRanges, type MessageReader, type MessageRow } from "./message/MessageRanges.ts"
export { emptyRow, objectOf } from "./message/objectOf.ts"
export { readLogin, readSecret } from "./rule/readCredentials.ts"
export { isLinkLocal } from "./rule/isLinkLocal.ts"
export { type DividedLoad, divideLeases, leaseTime, type WeightedPipe } from "./rule/divideLeases.ts"
