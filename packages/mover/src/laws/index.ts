export {
  changeSourceLaws,
  type ChangeSourceLawsOptions,
  type ChangeSourceUnderTest,
  type LawChange
} from "./changeSourceLaws.ts"
export { lawPipeId, otherPipeId } from "./lawPipes.ts"
export { leaseLaws, type LeaseLawsOptions } from "./leaseLaws.ts"
export { ledgerLaws, type LedgerLawsOptions, type LedgerUnderTest } from "./ledgerLaws.ts"
export { objectSourceLaws, type ObjectSourceLawsOptions, type ObjectSourceUnderTest } from "./objectSourceLaws.ts"
export { sourceLaws, type SourceLawsOptions, type SourceUnderTest } from "./sourceLaws.ts"
export { stagingLaws, type StagingLawsOptions, type StagingUnderTest } from "./stagingLaws.ts"
export {
  versionedTablesLaws,
  type VersionedTablesLawsOptions,
  type VersionedTablesUnderTest
} from "./versionedTablesLaws.ts"
export { warehouseLaws, type WarehouseLawsOptions, type WarehouseUnderTest } from "./warehouseLaws.ts"
