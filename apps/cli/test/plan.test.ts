import { plainStyle } from "@headgate/command-line"
import { OrganizationId, type ServiceAddress, ServiceId } from "@headgate/core"
import { answeredSecretFields, credentialFields } from "@headgate/core/adapter"
import { assert, describe, it } from "vitest"
import type { FileResource } from "../src/files/directory.ts"
import { fileValues } from "../src/files/kinds.ts"
import type { LockEntry } from "../src/files/lockFile.ts"
import { matchResources, type RemoteResource } from "../src/files/matchResources.ts"
import type { Members } from "../src/files/members.ts"
import { plan } from "../src/files/plan.ts"
import { planJson, planText } from "../src/files/planText.ts"
import { organization, serviceId } from "./headgate.ts"

const scope: ServiceAddress = {
  organizationId: OrganizationId.make(organization),
  serviceId: ServiceId.make(serviceId)
}
const options = { replace: false, prune: false, sendSecrets: false, keyId: "keyOfTheTests" }

const file = (kind: FileResource["kind"], value: Members, name = `a.${kind}.yaml`): FileResource => ({
  file: name,
  kind,
  name: String(value["name"]),
  value,
  text: "",
  document: value
})
const remote = (kind: FileResource["kind"], id: string, document: Members): RemoteResource => ({
  kind,
  id,
  name: String(document["name"]),
  document,
  value: fileValues[kind](document)
})
const entry = (kind: FileResource["kind"], name: string, more: Partial<LockEntry> = {}): LockEntry => ({
  organization: scope.organizationId,
  service: scope.serviceId,
  kind,
  name,
  file: `a.${kind}.yaml`,
  created: true,
  ...more
})
const planOf = (
  files: ReadonlyArray<FileResource>,
  lock: ReadonlyArray<LockEntry>,
  resources: ReadonlyArray<RemoteResource>,
  more: Partial<typeof options> = {}
) => plan(matchResources(files, lock, resources, scope), { ...options, ...more })
const stepsOf = ({ changes }: ReturnType<typeof plan>) => changes.map(({ steps }) => steps.map(({ type }) => type))

describe("a file is matched", () => {
  const dashboards = [remote("dashboard", "1", { name: "A" }), remote("dashboard", "2", { name: "A" })]

  it("by the lock, which tells two resources of a name apart", () => {
    const found = matchResources(
      [file("dashboard", { name: "A" })],
      [entry("dashboard", "A", { id: "2" })],
      dashboards,
      scope
    )
    assert.deepStrictEqual([found.matches[0]?.remote?.id, found.problems], ["2", []])
  })

  it("by its unique name; two of them are a problem that lists both", () => {
    const one = matchResources([file("dashboard", { name: "A" })], [], dashboards.slice(1), scope)
    assert.strictEqual(one.matches[0]?.remote?.id, "2")
    const { problems } = matchResources([file("dashboard", { name: "A" })], [], dashboards, scope)
    assert.deepStrictEqual(problems, ['a.dashboard.yaml: 2 dashboards have the name "A": 1, 2'])
  })

  it("by its name if the resource of the lock is gone, and by the lock if the file has another name or text", () => {
    const lock = [entry("dashboard", "A", { id: "1" })]
    const [, second] = dashboards
    assert.strictEqual(
      matchResources([file("dashboard", { name: "A" })], lock, second ? [second] : [], scope).matches[0]?.remote?.id,
      "2"
    )
    const renamed = planOf([file("dashboard", { name: "B", tiles: [], tags: [] })], lock, dashboards.slice(0, 1))
    assert.deepStrictEqual(stepsOf(renamed), [["update"]])
    const moved = matchResources([file("dashboard", { name: "A" }, "b.dashboard.yaml")], lock, dashboards, scope)
    assert.strictEqual(moved.matches[0]?.remote?.id, "1")
  })

  it("with what a creation that was begun has created, which is its own from then on", () => {
    const lock = [entry("dashboard", "A", { creation: "c" })]
    const [match] = matchResources([file("dashboard", { name: "A" })], lock, dashboards.slice(0, 1), scope).matches
    assert.deepStrictEqual([match?.remote?.id, match?.entry?.created], ["1", true])
    const [taken] = matchResources(
      [file("dashboard", { name: "A" })],
      [entry("dashboard", "A", { id: "gone" })],
      dashboards.slice(0, 1),
      scope
    ).matches
    assert.deepStrictEqual([taken?.remote?.id, taken?.entry?.created], ["1", false])
  })

  it("with no entry of another organization or service", () => {
    const elsewhere = ServiceId.make("33333333-3333-4333-8333-333333333333")
    const lock = [entry("pipe", "a", { id: "1", service: elsewhere })]
    const { others, orphans } = matchResources([], lock, [remote("pipe", "1", { name: "a" })], scope)
    assert.deepStrictEqual([others, orphans], [lock, []])
  })
})

describe("prune", () => {
  const resources = [remote("dashboard", "1", { name: "A" }), remote("key", "2", { name: "k", keySuffix: "ests" })]
  const lock = [entry("dashboard", "A", { id: "1" }), entry("key", "k", { id: "2" })]

  it("deletes what the directory created, but not the key of the caller", () => {
    const { changes } = planOf([], lock, resources, { prune: true })
    assert.deepStrictEqual(
      changes.map((change) => [change.action, change.action === "delete" ? change.remote.id : ""]),
      [["delete", "1"]]
    )
    assert.lengthOf(planOf([], lock, resources).changes, 0)
    assert.lengthOf(planOf([], lock, resources, { prune: true, keyId: "another" }).changes, 2)
  })

  it("says of each removed file what becomes of its resource, and does that", () => {
    const planned = (created: boolean, more: Partial<typeof options> = {}) => {
      const entries = [entry("dashboard", "A", { id: "1", created }), entry("key", "k", { id: "2" })]
      const made = planOf([], entries, resources, more)
      return { text: planText(made, plainStyle), json: planJson(made), changes: made.changes.length }
    }
    for (const prune of [false, true]) {
      const { changes, json, text } = planned(false, { prune })
      assert.strictEqual(changes, 0)
      assert.include(
        text,
        `note: dashboard "A" has no file any more and stays: this directory did not create it. 'headgate dashboard delete 1' deletes it`
      )
      assert.include(text, `note: key "k" has no file any more and stays: this command uses it`)
      assert.deepStrictEqual(
        json.stays.map(({ id }) => id),
        ["1", "2"]
      )
      assert.deepStrictEqual(json.kept, [])
    }
    assert.include(planned(true).text, `note: dashboard "A" has no file any more: --prune deletes it`)
    assert.notInclude(planned(true).text, `dashboard "A" has no file any more and stays`)
    assert.include(planned(true, { prune: true }).text, `- delete dashboard "A"`)
  })

  it("deletes nothing that was there before, and what a begun creation has created", () => {
    assert.lengthOf(
      planOf([], [entry("dashboard", "A", { id: "1", created: false })], resources, { prune: true }).changes,
      0
    )
    assert.lengthOf(planOf([], [entry("dashboard", "A", { creation: "c" })], resources, { prune: true }).changes, 1)
  })
})

describe("a pipe", () => {
  const kafka = { type: "kafka", brokers: "b", topics: "t", authentication: "PLAIN" }
  const credentials = { username: "u", password: "${env:P}" }
  const stored = (more: Members = {}) =>
    remote("pipe", "1", {
      id: "1",
      name: "a",
      state: "Running",
      source: { kafka },
      destination: { database: "d" },
      ...more
    })
  const wanted = (more: Members = {}) =>
    file("pipe", { name: "a", source: { kafka: { ...kafka, credentials } }, ...more })
  const change = (from: RemoteResource, to: FileResource, more: Partial<typeof options> = {}) =>
    planOf([to], [], [from], more)
  const requestsOf = ({ changes }: ReturnType<typeof plan>) =>
    changes.flatMap(({ steps }) => steps.map((step) => ("request" in step ? step.request : step.type)))

  it.each([...credentialFields, ...answeredSecretFields])("that is new is shown without its secret %s", (field) => {
    const source = field.split(".").reduceRight<unknown>((value, name) => ({ [name]: value }), "s3cr3t")
    const planned = planOf([file("pipe", { name: "a", source })], [], [])
    const shown = planText(planned, plainStyle) + JSON.stringify(planJson(planned))
    assert.include(shown, `source.${field}: "<redacted>"`)
    assert.notInclude(shown, "s3cr3t")
  })

  it("has no difference in what its file leaves out, and in credentials", () => {
    assert.deepStrictEqual(stepsOf(change(stored({ scaling: { replicas: 1 } }), wanted())), [])
  })

  it("is sent the members that differ, `null` for one to remove, and no credentials", () => {
    const from = stored({ source: { kafka: { ...kafka, iamRole: "r", consumerGroup: "g" } }, settings: { a: 1, b: 2 } })
    const to = wanted({
      source: { kafka: { ...kafka, topics: "u", iamRole: null, credentials } },
      settings: { a: 1, b: 3 }
    })
    assert.deepStrictEqual(requestsOf(change(from, to)), [
      { source: { kafka: { topics: "u", iamRole: null } }, settings: { b: 3 } }
    ])
  })

  it("is sent its credentials if the method changes, or with sendSecrets", () => {
    const to = wanted({ source: { kafka: { ...kafka, authentication: "SCRAM-SHA-256", credentials } } })
    assert.deepStrictEqual(requestsOf(change(stored(), to)), [
      { source: { kafka: { authentication: "SCRAM-SHA-256", credentials } } }
    ])
    const registry = { url: "https://r", authentication: "PLAIN" }
    const nested = wanted({ source: { kafka: { ...kafka, schemaRegistry: { ...registry, credentials } } } })
    assert.deepStrictEqual(
      requestsOf(
        change(stored({ source: { kafka: { ...kafka, schemaRegistry: registry } } }), nested, { sendSecrets: true })
      ),
      [{ source: { kafka: { schemaRegistry: { ...registry, credentials } } } }]
    )
  })

  it.each<[string, Members, Members, string]>([
    ["another kind of source", { source: { kinesis: { streamName: "s" } } }, {}, "source"],
    ["another table", {}, { destination: { database: "e" } }, "destination.database"],
    ["exactlyOnce", {}, { source: { kafka: { ...kafka, exactlyOnce: true } } }, "source.kafka.exactlyOnce"],
    ["tombstoneMode", {}, { source: { kafka: { ...kafka, tombstoneMode: "delete" } } }, "source.kafka.tombstoneMode"]
  ])("with %s must be replaced", (_, from, to, path) => {
    const refused = change(stored(from), wanted(to))
    assert.lengthOf(refused.problems, 1)
    assert.include(refused.problems[0], `${path} cannot change: --replace`)
    const replaced = change(stored(from), wanted(to), { replace: true })
    assert.deepStrictEqual([replaced.problems, stepsOf(replaced)], [[], [["delete", "create"]]])
  })

  it.each<[string, unknown, ReadonlyArray<string>]>([
    ["Running", true, ["stop"]],
    ["Provisioning", true, ["stop"]],
    ["Stopped", true, []],
    ["Pausing", true, []],
    ["Completed", true, []],
    ["Failed", true, []],
    ["Stopped", false, ["start"]],
    ["Running", false, []],
    ["Failed", false, []],
    ["Stopped", undefined, []]
  ])("that is %s, with stopped: %s, takes the steps %j", (state, stopped, steps) => {
    const to = stopped === undefined ? wanted() : wanted({ stopped })
    assert.deepStrictEqual(stepsOf(change(stored({ state }), to)).flat(), steps)
  })

  const tables = (...names: ReadonlyArray<string>) => ({
    source: { postgres: { tableMappings: names.map((sourceTable) => ({ sourceTable, targetTable: sourceTable })) } }
  })

  it.each<[string, Members, ReadonlyArray<string>]>([
    ["Running", {}, ["stop", "update", "start"]],
    ["Paused", {}, ["update", "stop"]],
    ["Paused", { stopped: false }, ["update", "start"]],
    ["Pausing", {}, ["stop", "update", "stop"]],
    ["Running", { stopped: true }, ["stop", "update", "stop"]]
  ])("that is %s changes its tables with %j in the steps %j", (state, more, steps) => {
    const planned = change(stored({ state, ...tables("a", "b") }), wanted({ ...tables("b", "c"), ...more }))
    assert.deepStrictEqual(stepsOf(planned).flat(), steps)
    assert.deepStrictEqual(
      requestsOf(planned).find((request) => typeof request !== "string"),
      {
        source: {
          postgres: {
            tableMappingsToRemove: [{ sourceTable: "a", targetTable: "a" }],
            tableMappingsToAdd: [{ sourceTable: "c", targetTable: "c" }]
          }
        }
      }
    )
  })
})

it("a key is compared without the order of its roles, by name or by id", () => {
  const stored = remote("key", "1", {
    name: "ci",
    roles: ["developer", "admin"],
    assignedRoles: [{ roleId: "r2" }, { roleId: "r1" }]
  })
  assert.deepStrictEqual(
    stepsOf(planOf([file("key", { name: "ci", roles: ["admin", "developer"] })], [], [stored])),
    []
  )
  assert.deepStrictEqual(
    stepsOf(planOf([file("key", { name: "ci", assignedRoleIds: ["r1", "r2"] })], [], [stored])),
    []
  )
  const { changes } = planOf([file("key", { name: "ci", roles: [] })], [], [stored])
  assert.deepStrictEqual(changes[0]?.steps, [{ type: "update", request: { roles: [] } }])
})

it("an empty access list and a key without roles are shown, with a warning each", () => {
  const open = file("key", { name: "ci", roles: [], ipAccessList: [] })
  const created = planText(planOf([open], [], []), plainStyle)
  assert.include(created, "+ ipAccessList: []")
  assert.include(created, "WARNING: The key works from NO address")
  assert.include(created, "WARNING: The key can do NOTHING")
  const limited = { name: "ci", roles: ["developer"], ipAccessList: [{ source: "192.0.2.1" }] }
  const closed = file("key", { ...limited, ipAccessList: [] })
  const [change] = planJson(planOf([closed], [], [remote("key", "1", limited)])).changes
  assert.deepStrictEqual(change?.differences, [{ path: "ipAccessList", before: [{ source: "192.0.2.1" }], after: [] }])
  assert.deepStrictEqual(change?.warnings, ["The key works from NO address: its IP access list is empty."])
})

it("dashboards are applied before pipes, and keys last", () => {
  const files = [file("key", { name: "k" }), file("pipe", { name: "p" }), file("dashboard", { name: "d" })]
  const { changes } = planOf(files, [], [])
  assert.deepStrictEqual(
    changes.map((change) => (change.action === "create" ? change.match.file.kind : "")),
    ["dashboard", "pipe", "key"]
  )
})
