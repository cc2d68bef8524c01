import type { Examples } from "../Operation.ts"
import type { cdcScalingOperations } from "./cdcScalingOperations.ts"
import type { endpointOperations } from "./endpointOperations.ts"
import type { serviceOperations } from "./serviceOperations.ts"

const service = {
  id: "8a4b6d2f-91c3-4e57-b0da-6f2c1e9d7b35",
  name: "ingest",
  provider: "aws",
  region: "eu-central-1",
  state: "running",
  tier: "production",
  idleScaling: true,
  createdAt: "2026-01-15T09:12:00Z",
  endpoints: [{ protocol: "https", host: "ingest.example.com", port: 8443 }],
  ipAccessList: [{ source: "192.0.2.0/24", description: "office" }],
  numReplicas: 3,
  minReplicaMemoryGb: 8,
  maxReplicaMemoryGb: 32
}

/** Examples of the operations on services. */
export const serviceExamples: Examples<ReturnType<typeof serviceOperations>> = {
  list: { success: [service] },
  get: { success: service },
  setState: { payload: { command: "awake" }, success: { ...service, state: "awaking" } }
}

const size = { replicaCpuMillicores: 2000, replicaMemoryGb: 8 }

/** Examples of the operations on the size of the replica of database pipes. */
export const cdcScalingExamples: Examples<ReturnType<typeof cdcScalingOperations>> = {
  get: { success: size },
  update: { payload: size, success: size }
}

const endpointRequest = {
  description: "orders database",
  type: "VPC_ENDPOINT_SERVICE",
  vpcEndpointServiceName: "com.amazonaws.vpce.eu-central-1.vpce-svc-0123456789abcdef0",
  customPrivateDnsMappings: [{ privateDnsName: "orders.example.com" }]
}

const endpoint = {
  ...endpointRequest,
  id: "2b7c1f0e-9d3a-4c58-8e61-0f4a7b9c2d13",
  serviceId: "8a4b6d2f-91c3-4e57-b0da-6f2c1e9d7b35",
  endpointId: "vpce-2b7c1f0e9d3a4c588",
  dnsNames: ["vpce-2b7c1f0e9d3a4c588.invalid"],
  privateDnsNames: ["orders.example.com"],
  status: "PendingAcceptance"
}

/** Examples of the operations on reverse private endpoints. */
export const endpointExamples: Examples<ReturnType<typeof endpointOperations>> = {
  list: { success: [endpoint] },
  get: { success: endpoint },
  create: { payload: endpointRequest, success: { ...endpoint, status: "Provisioning" } },
  update: {
    payload: { customPrivateDnsMappings: endpointRequest.customPrivateDnsMappings },
    success: endpoint
  },
  delete: {}
}
