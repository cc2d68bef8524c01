export { lawPipeId, otherPipeId } from "./lawPipes.ts"
export { ledgerLaws, type LedgerLawsOptions, type LedgerUnderTest } from "./ledgerLaws.ts"
export { sourceLaws, type SourceLawsOptions, type SourceUnderTest } from "./sourceLaws.ts"
export { warehouseLaws, type WarehouseLawsOptions, type WarehouseUnderTest } from "./warehouseLaws.ts"
