import { type ApiKeys, type Pipes, type Roles, type Snapshot, Snapshots } from "@headgate/core"
import {
  Authenticator,
  type Credentials,
  type OrganizationConnections,
  type OrganizationDashboards,
  type OrganizationDocuments,
  type Tokens
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { fixtureDocuments } from "../fixtures/documents.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"

/** The ports over one store: what an import changes must show in each of them. */
export type SnapshotPorts =
  | ApiKeys
  | Authenticator
  | OrganizationConnections
  | OrganizationDashboards
  | OrganizationDocuments
  | Pipes
  | Roles
  | Snapshots
  | Tokens

/** What the laws of import, export and replace are declared with. */
export interface SnapshotSuite {
  /** All ports over a new, empty store. */
  readonly emptyStore: () => Layer.Layer<SnapshotPorts, unknown>
  readonly law: (title: string, body: Effect.Effect<void, unknown, SnapshotPorts>) => void
}

/** The kinds of dashboards, of connections and of data sources, and those of documents. */
const kindsOfThree = 3 + Object.keys(fixtureDocuments).length

/** Two organizations, three services, seven pipes, nine keys, two tokens, three of each of the other kinds. */
export const fixtureSize = 23 + 3 * kindsOfThree

export const importSnapshot = (snapshot: Snapshot) => Snapshots.use((snapshots) => snapshots.import(snapshot))

export const importFixture = Effect.flatMap(fixtureSnapshot, importSnapshot)

export const signIn = (credentials: Credentials) =>
  Authenticator.use((authenticator) => authenticator.authenticate(credentials, "192.0.2.7"))
