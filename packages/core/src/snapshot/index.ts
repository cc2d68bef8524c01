export { type OrganizationSnapshot, Snapshot, SnapshotKey, snapshotOf, SnapshotToken } from "./Snapshot.ts"
export { type SnapshotContent, toSnapshot } from "./SnapshotContent.ts"
export { type SnapshotRow, type SnapshotRows, snapshotRows, takenInStore } from "./snapshotRows.ts"
export { type ImportSummary, type OrganizationSummary, type ReplaceSummary, Snapshots } from "./Snapshots.ts"
