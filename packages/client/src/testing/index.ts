export { createTestClient, type TestClient } from "./createTestClient.ts"
export { sampleOrganizationId, type Snapshot, type TestClientOptions } from "./TestClientOptions.ts"
