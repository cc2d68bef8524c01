import { assert, it } from "@effect/vitest"
import { excessRights } from "../src/chart/queryGrants.ts"

it("a user of queries that only reads has no excess right, and any other right is named with what it is on", () => {
  assert.deepStrictEqual(
    excessRights([
      "GRANT SELECT ON default.* TO chart_reader",
      "GRANT SELECT(a, `INSERT ON x`, b), SHOW COLUMNS ON `my db`.t TO chart_reader",
      "GRANT SHOW DATABASES, SHOW TABLES ON *.* TO chart_reader",
      "GRANT USAGE ON *.* TO chart_reader",
      "REVOKE SELECT ON default.secrets FROM chart_reader",
      ""
    ]),
    []
  )
  for (const [line, expected] of [
    ["GRANT SELECT, INSERT ON default.* TO q", "INSERT on default.*"],
    ["GRANT SELECT(a), INSERT(a, b), ALTER UPDATE(c) ON d.t TO q", "INSERT, ALTER UPDATE on d.t"],
    ["GRANT ALL ON *.* TO default WITH GRANT OPTION", "ALL on *.*"],
    ["GRANT SOURCES ON *.* TO q", "SOURCES on *.*"],
    ["GRANT READ, WRITE ON URL TO q", "READ, WRITE on URL"],
    ["GRANT URL, S3 ON *.* TO q", "URL, S3 on *.*"],
    ["GRANT CREATE TEMPORARY TABLE ON *.* TO q", "CREATE TEMPORARY TABLE on *.*"],
    ["GRANT SELECT ON a.* TO q WITH GRANT OPTION", "GRANT OPTION on a.*"],
    ["GRANT writer, `other role` TO q", "the rights of the role writer, `other role`"]
  ] as const) {
    assert.deepStrictEqual(excessRights([line]), [expected], line)
  }
})
