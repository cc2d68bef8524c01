import { type OrganizationId, Snapshots } from "@headgate/core"

/** Imports organizations that have nothing yet: a store creates nothing in an organization that it does not have. */
export const importOrganizations = (...ids: ReadonlyArray<OrganizationId>) =>
  Snapshots.use((snapshots) => snapshots.import({ organizations: ids.map((id) => ({ id, name: "x" })) }))
