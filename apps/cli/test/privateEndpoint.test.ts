import { assert, describe, it } from "vitest"
import { enveloped, service } from "./Service.ts"
import { everything, headgate, organization, serviceId } from "./headgate.ts"

const api = service()
const id = "2b7c1f0e-9d3a-4c58-8e61-0f4a7b9c2d13"
const endpoint = { id, serviceId, description: "orders", type: "MSK_MULTI_VPC", status: "Ready" }
const servicePath = `/v1/organizations/${organization}/services/${serviceId}`
const requests = () =>
  api.received.map(({ body, method, path }) => [`${method} ${path}`, body === "" ? undefined : JSON.parse(body)])

describe("headgate private-endpoint", () => {
  it("list and get print what the service answers", async () => {
    api.respondWith(({ path }) => enveloped(path.endsWith(id) ? endpoint : [endpoint]))
    const listed = await headgate(["private-endpoint", "list"], { env: everything(api.url) })
    assert.match(listed.stdout, /^ID +STATUS +TYPE +DESCRIPTION\n/)
    const read = await headgate(["private-endpoint", "get", id, "--json"], { env: everything(api.url) })
    assert.deepStrictEqual(JSON.parse(read.stdout), endpoint)
  })

  it("create sends the flags, update the names, delete asks for --yes", async () => {
    api.respondWith(({ method }) => (method === "DELETE" ? enveloped(undefined) : enveloped(endpoint)))
    const flags = ["--type", "MSK_MULTI_VPC", "--msk-cluster-arn", "arn", "--msk-authentication", "SASL_IAM"]
    const created = await headgate(["private-endpoint", "create", ...flags], { env: everything(api.url) })
    assert.strictEqual(created.exitCode, 0, created.stderr)
    const names = ["--dns-name", "a.example.com", "--dns-name", "*.b.example.com"]
    await headgate(["private-endpoint", "update", id, ...names], { env: everything(api.url) })
    const asked = await headgate(["private-endpoint", "delete", id], { env: everything(api.url) })
    assert.strictEqual(asked.exitCode, 2)
    await headgate(["private-endpoint", "delete", id, "--yes"], { env: everything(api.url) })
    const path = `${servicePath}/dbpipesReversePrivateEndpoints`
    const [create, ...others] = requests()
    assert.strictEqual(create?.[0], `POST ${path}`)
    assert.deepInclude(create?.[1], {
      description: "",
      type: "MSK_MULTI_VPC",
      mskClusterArn: "arn",
      mskAuthentication: "SASL_IAM"
    })
    assert.deepStrictEqual(others, [
      [
        `PATCH ${path}/${id}`,
        {
          customPrivateDnsMappings: [{ privateDnsName: "a.example.com" }, { privateDnsName: "*.b.example.com" }]
        }
      ],
      [`DELETE ${path}/${id}`, undefined]
    ])
  })
})

describe("headgate pipe cdc-scaling", () => {
  it("get prints the size, set sends what is given", async () => {
    api.respondWith(enveloped({ replicaCpuMillicores: 4000, replicaMemoryGb: 16 }))
    const read = await headgate(["pipe", "cdc-scaling", "get"], { env: everything(api.url) })
    assert.match(read.stdout, /replicaCpuMillicores +4000/)
    await headgate(["pipe", "cdc-scaling", "set", "--cpu", "4000"], { env: everything(api.url) })
    assert.deepStrictEqual(requests(), [
      [`GET ${servicePath}/dbpipesCdcScaling`, undefined],
      [`PATCH ${servicePath}/dbpipesCdcScaling`, { replicaCpuMillicores: 4000 }]
    ])
  })
})
