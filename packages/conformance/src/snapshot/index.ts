export { snapshotsLaws, type SnapshotsLawsOptions, type SnapshotsLawsPorts } from "./snapshotsLaws.ts"
