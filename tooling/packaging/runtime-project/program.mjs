// What a user of the client does, in any runtime: it reads, creates, waits and handles errors. Returns what it saw.
import {
  createClient,
  InvalidRequestError,
  isHeadgateError,
  PipeNotFoundError,
  reveal,
  UnauthorizedError,
  UnreachableStateError
} from "@headgate/client"
import { createTestClient, sampleOrganizationId } from "@headgate/client/testing"

const rejectionOf = async (call) => {
  try {
    await call
  } catch (error) {
    return error
  }
  throw new Error("expected a rejection")
}

export const run = async ({ keyId, keySecret, organizationId, pipeId, serviceId, token, url }) => {
  const management = { baseUrl: url, keyId, keySecret }
  const headgate = createClient({ management, observability: { baseUrl: url, token } })
  const service = { organizationId, serviceId }
  const pipe = await headgate.pipes.get({ ...service, pipeId })
  const response = await headgate.pipes.list(service).withResponse()
  const id = response.requestId

  const created = await headgate.pipes.create({
    ...service,
    name: "clicks",
    source: {
      kinesis: {
        format: "JSONEachRow",
        streamName: "clicks",
        region: "eu-central-1",
        iteratorType: "LATEST",
        authentication: "IAM_USER",
        accessKey: { accessKeyId: "AKIAEXAMPLE", secretKey: "secret" }
      }
    },
    destination: {
      database: "analytics",
      table: "clicks",
      managedTable: true,
      columns: [{ name: "id", type: "String" }]
    }
  })
  const address = { ...service, pipeId: created.id }
  const running = await headgate.pipes.waitFor(address, "Running", { interval: 50 })
  await headgate.pipes.setState({ ...address, command: "stop" })
  const unreachable = await rejectionOf(headgate.pipes.waitFor(address, "Running", { interval: 50 }))
  const stopped = await headgate.pipes.waitFor(address, "Stopped", { interval: 50 })
  await headgate.pipes.delete(address)
  const missing = await rejectionOf(headgate.pipes.get(address))

  const key = await headgate.keys.create({ organizationId, name: "runtime", roles: ["developer"] })
  const secret = String(key.keySecret)
  const second = createClient({
    management: { ...management, keyId: key.keyId, keySecret: reveal(key.keySecret) }
  })
  const whoami = await second.organizations.whoami()
  const wrong = createClient({ management: { ...management, keySecret: "wrong" } })
  const unauthorized = await rejectionOf(wrong.keys.list({ organizationId }))
  const invalid = await rejectionOf(headgate.pipes.get({ ...service, pipeId: "7" }))
  await headgate.keys.delete({ organizationId, keyId: key.key.id })

  const dashboard = await headgate.dashboards.create({ name: "Errors" })
  const names = []
  for await (const { name } of headgate.dashboards.list()) names.push(name)
  await headgate.dashboards.delete(dashboard.id)

  const controller = new AbortController()
  const call = headgate.pipes.get({ ...service, pipeId }, { signal: controller.signal })
  controller.abort(new Error("enough"))
  const aborted = await rejectionOf(call)

  const memory = createTestClient({ pipes: [{ id: pipeId, serviceId, name: "orders", state: "Running" }] })
  const tested = await memory.pipes.get({ organizationId: sampleOrganizationId, serviceId, pipeId })
  await Promise.all([headgate.close(), wrong.close(), second.close(), memory.close()])
  const closed = await rejectionOf(headgate.pipes.get({ ...service, pipeId }))

  return {
    read: pipe.name,
    response: `${response.status} ${typeof id} ${response.headers.get("x-request-id") === id} ${response.data.length > 0}`,
    created: `${created.name} ${created.state}`,
    running: running.state,
    unreachable: unreachable instanceof UnreachableStateError,
    stopped: stopped.state,
    missing:
      missing instanceof PipeNotFoundError && `${missing.status} ${missing.attempts} ${typeof missing.requestId}`,
    secret,
    whoami: typeof whoami,
    unauthorized: unauthorized instanceof UnauthorizedError && unauthorized.status,
    invalid: invalid instanceof InvalidRequestError && `${invalid.issues[0].path} ${invalid.attempts}`,
    listed: names.includes("Errors"),
    aborted: aborted === controller.signal.reason,
    tested: tested.name,
    closed: isHeadgateError(closed) && closed._tag
  }
}
