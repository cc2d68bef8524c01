import type * as Schema from "effect/Schema"
import type { ContractFields } from "../contract/ContractField.ts"

/** docs/wire-contract.md#fields-of-an-api-key. */
export const apiKeyFields: ContractFields = {
  id: "uuid",
  name: "string",
  state: "string",
  roles: "strings",
  assignedRoles: "objects",
  "assignedRoles[0].roleId": "string",
  "assignedRoles[0].roleName": "string",
  "assignedRoles[0].roleType": "string",
  keySuffix: "string",
  createdAt: "date-time",
  expireAt: "date-time",
  usedAt: "date-time",
  ipAccessList: "objects",
  "ipAccessList[0].source": "string",
  "ipAccessList[0].description": "string"
}

export const apiKeyDocument: Schema.JsonObject = {
  id: "d0000000-0000-4000-8000-000000000001",
  name: "continuous integration",
  state: "enabled",
  roles: ["admin", "developer", "query_endpoints"],
  assignedRoles: [{ roleId: "701e0000-0000-4000-8000-000000000001", roleName: "admin", roleType: "system" }],
  keySuffix: "Xy9Z",
  createdAt: "2026-01-02T03:04:05Z",
  expireAt: "2027-01-02T03:04:05+01:00",
  usedAt: "2026-01-31T12:00:00Z",
  ipAccessList: [
    { source: "192.0.2.0/24", description: "office" },
    { source: "2001:db8::1", description: "" }
  ]
}

/** The request body of docs/wire-contract.md#create-an-api-key. */
export const apiKeyCreateFields: ContractFields = {
  name: "string",
  expireAt: "date-time",
  state: "string",
  hashData: "object",
  "hashData.keyIdHash": "string",
  "hashData.keyIdSuffix": "string",
  "hashData.keySecretHash": "string",
  roles: "strings",
  // Not in the contract.
  assignedRoleIds: "strings",
  ipAccessList: "objects",
  "ipAccessList[0].source": "string",
  "ipAccessList[0].description": "string"
}

export const apiKeyCreateDocument: Schema.JsonObject = {
  name: "continuous integration",
  expireAt: "2027-01-02T03:04:05Z",
  state: "disabled",
  hashData: {
    keyIdHash: "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    keyIdSuffix: "Xy9Z",
    keySecretHash: "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="
  },
  roles: ["developer"],
  assignedRoleIds: [],
  ipAccessList: [{ source: "192.0.2.0/24", description: "office" }]
}
