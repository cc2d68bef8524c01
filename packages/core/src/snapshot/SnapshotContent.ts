import type * as DateTime from "effect/DateTime"
import type { OrganizationId } from "../id/organization.ts"
import type { TokenRecord } from "../access/makeToken.ts"
import type { Dashboard } from "../dashboard/Dashboard.ts"
import type { DocumentKindName } from "../dashboard/documentKinds.ts"
import type { DocumentRecord } from "../dashboard/documentRules.ts"
import type { ConnectionRecord, SourceRecord } from "../dashboard/storedDocuments.ts"
import type { Role } from "../key/Role.ts"
import type { ApiKeyRecord } from "../key/makeApiKey.ts"
import type { Organization } from "../organization/Organization.ts"
import type { Pipe } from "../pipe/Pipe.ts"
import type { PipeCredentials } from "../pipe/credentialFields.ts"
import type { CdcReplicaSize } from "../service/CdcScaling.ts"
import type { ReversePrivateEndpoint } from "../service/ReversePrivateEndpoint.ts"
import type { Service } from "../service/Service.ts"
import type { ServiceState } from "../service/serviceLifecycle.ts"

/** The documents of each kind. Their secrets are as the store holds them. */
type DocumentRecords = { readonly [Name in DocumentKindName]: DocumentRecord }

/** What a store keeps of one resource of each kind, with its owner. */
export interface KindRecords extends DocumentRecords {
  /** An organization in a store: it has the time of its creation. */
  readonly organizations: Organization & { readonly createdAt: DateTime.Utc }
  /** Its state is one that a store moves. */
  readonly services: {
    readonly organizationId: OrganizationId
    readonly service: Service & { readonly state: ServiceState }
    /** Absent: nobody has changed it. */
    readonly cdcScaling?: CdcReplicaSize
  }
  readonly endpoints: { readonly organizationId: OrganizationId; readonly endpoint: ReversePrivateEndpoint }
  readonly pipes: {
    readonly organizationId: OrganizationId
    readonly pipe: Pipe
    /** The credentials that are not in its source. Those of an import are. */
    readonly credentials?: PipeCredentials | undefined
  }
  /** The custom roles. */
  readonly roles: { readonly organizationId: OrganizationId; readonly role: Role }
  readonly keys: ApiKeyRecord
  readonly tokens: TokenRecord
  readonly dashboards: { readonly organizationId: OrganizationId; readonly dashboard: Dashboard }
  readonly connections: ConnectionRecord
  readonly sources: SourceRecord
}

/** The name of a kind of resources. */
export type KindName = keyof KindRecords

/** The content of a store as flat lists of rows, each with its owner, oldest first. */
export type SnapshotContent = { readonly [Kind in KindName]: ReadonlyArray<KindRecords[Kind]> }

/** A row of a snapshot with its path in the document, for error messages. */
export interface SnapshotRow<A> {
  /** As in `organizations[0].services[1].pipes[2]`. */
  readonly path: string
  readonly value: A
}

/** A snapshot as flat lists of rows, in the order of the document. */
export type SnapshotRows = { readonly [Kind in KindName]: ReadonlyArray<SnapshotRow<KindRecords[Kind]>> }

/** Rows of a snapshot that are being made. */
export type RowLists = { readonly [Kind in KindName]: Array<SnapshotRow<KindRecords[Kind]>> }
