import type { Examples } from "../Operation.ts"
import type { keyOperations } from "./keyOperations.ts"
import type { roleOperations } from "./roleOperations.ts"

const keyRequest = {
  name: "ci",
  roles: ["developer"],
  expireAt: "2027-01-01T00:00:00Z",
  ipAccessList: [{ source: "192.0.2.0/24", description: "office" }]
}

const key = {
  id: "d11a82d4-6d05-4721-8f0b-b0eb24aba6f3",
  ...keyRequest,
  assignedRoles: [{ roleId: "701e0000-0000-4000-8000-000000000002", roleName: "developer", roleType: "system" }],
  state: "enabled",
  keySuffix: "5cNy",
  createdAt: "2026-11-21T11:42:56.422Z"
}

/** Examples of the operations on API keys. */
export const keyExamples: Examples<ReturnType<typeof keyOperations>> = {
  list: { success: [key] },
  create: {
    payload: keyRequest,
    success: { key, keyId: "HsszkxHYv3sBhYQL5cNy", keySecret: "hgs_<40 characters>" }
  },
  get: { success: key },
  update: { payload: { state: "disabled" }, success: { ...key, state: "disabled" } },
  delete: {}
}

const roleId = "1f0a2b3c-4d5e-4f60-8a7b-9c0d1e2f3a4b"
const owner = "organization/1c9f6a0e-3b7d-4f2a-8e5c-7d4b6a9f0e21"

const roleRequest = {
  name: "auditor",
  actors: [],
  policies: [{ allowDeny: "ALLOW", permissions: ["control-plane:organization:view"], resources: ["instance/*"] }]
}

const role = {
  id: roleId,
  tenantId: owner,
  ownerId: owner,
  ...roleRequest,
  type: "custom",
  policies: [{ id: "2a3b4c5d-6e7f-4081-92a3-b4c5d6e7f809", roleId, tenantId: owner, ...roleRequest.policies[0] }],
  createdAt: "2026-11-21T11:42:56.422Z",
  updatedAt: "2026-11-21T11:42:56.422Z"
}

/** Examples of the operations on roles. */
export const roleExamples: Examples<ReturnType<typeof roleOperations>> = {
  list: { success: [role] },
  create: { payload: roleRequest, success: role },
  get: { success: role },
  update: { payload: { name: "auditor" }, success: role },
  delete: {}
}
