const below = (group: string, names: string): ReadonlyArray<string> =>
  names.split(" ").map((name) => `${group} ${name}`)

/**
 * Commands of the tool, and groups of them, that need what Headgate does not serve: docs/compatibility.md says why. `auth`
 * is about the tool's own login.
 */
export const leftOut: ReadonlyArray<string> = [
  "activity",
  "auth",
  "backup",
  "invitation",
  "member",
  "postgres",
  "query-api-endpoint",
  "saved-query",
  "udf",
  ...below("org", "balance byoc notification-types notifications prometheus quota update usage"),
  ...below("service", "backup-config create delete private-endpoint profile prometheus query query-endpoint"),
  ...below("service", "repair-query-key replica-aware-routing reset-password scale scaling-schedule settings"),
  ...below("service", "snapshot update upgrade-window")
]
