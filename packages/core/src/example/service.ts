import { exampleIds } from "./ids.ts"

const service = {
  id: exampleIds.serviceId,
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
export const serviceExamples = {
  list: { success: [service] },
  get: { success: service },
  setState: { payload: { command: "awake" }, success: { ...service, state: "awaking" } }
}

const size = { replicaCpuMillicores: 2000, replicaMemoryGb: 8 }

/** Examples of the operations on the size of the replica of database pipes. */
export const cdcScalingExamples = {
  get: { success: size },
  update: { payload: size, success: size }
}

const endpointRequest = {
  description: "orders database",
  type: "VPC_RESOURCE",
  vpcResourceConfigurationId: "rcfg-0123456789abcdef0",
  vpcResourceShareArn: "arn:aws:ram:eu-central-1:123456789012:resource-share/orders",
  customPrivateDnsMappings: [{ privateDnsName: "orders.example.com", targetId: "rcfg-0123456789abcdef0" }]
}

const endpoint = {
  ...endpointRequest,
  id: exampleIds.reversePrivateEndpointId,
  serviceId: exampleIds.serviceId,
  endpointId: "vpce-2b7c1f0e9d3a4c588",
  dnsNames: ["vpce-2b7c1f0e9d3a4c588.invalid"],
  privateDnsNames: ["orders.example.com"],
  privateDnsMappings: [{ privateDnsName: "orders.internal", internalDnsName: "vpce-2b7c1f0e9d3a4c588.invalid" }],
  dnsTargets: [
    {
      id: "rcfg-0123456789abcdef0",
      kind: "RESOURCE_CONFIGURATION",
      internalDnsName: "vpce-2b7c1f0e9d3a4c588.rcfg-0123456789abcdef0.invalid"
    }
  ],
  status: "Ready"
}

/** Examples of the operations on reverse private endpoints. */
export const endpointExamples = {
  list: { success: [endpoint] },
  get: { success: endpoint },
  create: { payload: endpointRequest, success: { ...endpoint, status: "Provisioning" } },
  update: {
    payload: { customPrivateDnsMappings: endpointRequest.customPrivateDnsMappings },
    success: endpoint
  },
  delete: {}
}
