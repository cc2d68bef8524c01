import { exampleIds } from "./ids.ts"

const keyRequest = {
  name: "ci",
  state: "enabled",
  roles: ["developer"],
  expireAt: "2099-12-31T00:00:00Z",
  ipAccessList: [{ source: "192.0.2.0/24", description: "office" }]
}

const key = {
  id: exampleIds.keyId,
  ...keyRequest,
  assignedRoles: [{ roleId: "701e0000-0000-4000-8000-000000000002", roleName: "developer", roleType: "system" }],
  keySuffix: "5cNy",
  createdAt: "2026-11-21T11:42:56.422Z",
  usedAt: "2026-11-22T08:15:00Z"
}

/** Examples of the operations on API keys. */
export const keyExamples = {
  list: { success: [key] },
  create: {
    payload: keyRequest,
    success: { key, keyId: "HsszkxHYv3sBhYQL5cNy", keySecret: "hgs_<40 characters>" }
  },
  get: { success: key },
  update: { payload: { ...keyRequest, state: "disabled" }, success: { ...key, state: "disabled" } },
  delete: {}
}

const owner = `organization/${exampleIds.organizationId}`

const policy = {
  allowDeny: "ALLOW",
  permissions: ["control-plane:organization:view"],
  resources: ["instance/*"],
  tags: { grants: ["default"], roleV2: "sql-console-readonly" }
}
const roleRequest = {
  name: "auditor",
  actors: ["user/66666666-6666-4666-8666-666666666666"],
  policies: [policy]
}

const role = {
  id: exampleIds.roleId,
  tenantId: owner,
  ownerId: owner,
  ...roleRequest,
  type: "custom",
  policies: [{ id: "2a3b4c5d-6e7f-4081-92a3-b4c5d6e7f809", roleId: exampleIds.roleId, tenantId: owner, ...policy }],
  createdAt: "2026-11-21T11:42:56.422Z",
  updatedAt: "2026-11-21T11:42:56.422Z"
}

/** Examples of the operations on the sessions of the console. */
export const consoleExamples = {
  createSession: {
    success: {
      organizationId: exampleIds.organizationId,
      token: "hgs_<40 characters>",
      expiresAt: "2026-11-22T16:15:00Z",
      permissions: ["organization:read", "service:read", "pipe:read"]
    }
  },
  createCode: { success: { code: "hgc_<40 characters>", expiresAt: "2026-11-22T08:20:00Z" } }
}

/** Examples of the operations on roles. */
export const roleExamples = {
  list: { success: [role] },
  create: { payload: roleRequest, success: role },
  get: { success: role },
  update: { payload: roleRequest, success: role },
  delete: {}
}
