import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import { differences } from "./differences.ts"
import type { FileResource } from "./directory.ts"
import type { RemoteResource } from "./matchResources.ts"
import { elementsOf, isMembers, type Members } from "./members.ts"
import type { ResourceChange } from "./Step.ts"

/** The request that creates the key of a file. A key without roles, and one that never expires, has no such field. */
export const keyRequest = ({ value }: FileResource): Members =>
  Record.filter(
    value,
    (field, name) => Predicate.isNotNullish(field) && !(name === "roles" && elementsOf(field).length === 0)
  )

const roleFields = ["roles", "assignedRoleIds"]

// The order of roles means nothing.
const comparable = (value: Members): Members => ({
  ...value,
  ...Object.fromEntries(
    roleFields.flatMap((name) => (Array.isArray(value[name]) ? [[name, elementsOf(value[name]).toSorted()]] : []))
  )
})

/** What the service answers, with the ids of all roles, which a file may name instead of their names. */
const answered = ({ document }: RemoteResource): Members => {
  const assigned = elementsOf(document["assignedRoles"]).filter(isMembers)
  return comparable({
    name: document["name"],
    state: document["state"],
    expireAt: document["expireAt"],
    ipAccessList: document["ipAccessList"],
    roles: document["roles"] ?? [],
    assignedRoleIds: assigned.map(({ roleId }) => roleId)
  })
}

/** What changes a key: the request has the fields that differ, and no others. */
export const keyChange = (file: FileResource, remote: RemoteResource): ResourceChange => {
  const wanted = comparable(file.value)
  const stored = answered(remote)
  const request = Record.filter(file.value, (_, name) => differences(stored[name], wanted[name], "given").length > 0)
  return {
    differences: differences(stored, wanted, "given"),
    steps: Record.isEmptyReadonlyRecord(request) ? [] : [{ type: "update", request }],
    immutable: []
  }
}
