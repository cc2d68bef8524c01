import { documentIds } from "./document.ts"

/** The path parameters of the examples, by the names that they have in the paths of the operations. */
export const exampleIds = {
  organizationId: "1c9f6a0e-3b7d-4f2a-8e5c-7d4b6a9f0e21",
  serviceId: "8a4b6d2f-91c3-4e57-b0da-6f2c1e9d7b35",
  pipeId: "3c7d1a94-5e2f-4b60-9d83-7a1f0c6e2b58",
  reversePrivateEndpointId: "2b7c1f0e-9d3a-4c58-8e61-0f4a7b9c2d13",
  keyId: "d11a82d4-6d05-4721-8f0b-b0eb24aba6f3",
  roleId: "1f0a2b3c-4d5e-4f60-8a7b-9c0d1e2f3a4b",
  dashboardId: "2c1079cf-97e2-4e47-a17a-0de95574bfbd",
  ...documentIds
} as const
