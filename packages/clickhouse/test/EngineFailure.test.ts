import { assert, describe, it } from "@effect/vitest"
import { engineFailure, rejectedRow, rejectionReason } from "../src/connection/EngineFailure.ts"

const bad =
  "Code: 27. DB::Exception: Cannot parse input: expected ',' before: 'x\\n': (while reading the value of key n): (at row 3)\n: While executing JSONEachRowRowInputFormat: data for INSERT was parsed from stdin. (CANNOT_PARSE_INPUT_ASSERTION_FAILED) (version 26.7.2.1 (official build))"

describe("failures of the engine", () => {
  it("hold no query of an address", () => {
    const query =
      "X-Amz-Credential=AKIA%2F20130524%2Fus-east-1&X-Amz-Security-Token=tok%3D&X-Amz-Signature=5ecret5ecret"
    const address = `http://127.0.0.1:35503/b/k%20%7Ba%2Cb%7D?${query}`
    const body = `<Error><StringToSign>${query.split("&").join("\n")}</StringToSign><X-Amz-Signature>5ecret</X-Amz-Signature></Error>`
    for (const text of [
      `Code: 86. DB::HTTPException: Received error from remote server ${address}. HTTP status code: 403 'Forbidden', body length: 9 bytes, body: '${body}'`,
      `Code: 86. DB::Exception: Received error from remote server /b/k?${query}. HTTP status code: 403`,
      `Code: 27. DB::Exception: Cannot parse: (in file/uri ${address}): While executing URL. (X)`,
      // Shortened in the middle of the address.
      `Code: 27. DB::Exception: ${"x".repeat(430)} ${address}${"&a=5ecret".repeat(200)}`
    ]) {
      const { code, message } = engineFailure(text)
      assert.isDefined(code)
      for (const part of ["5ecret", "AKIA", "tok%3D"]) assert.notInclude(message, part)
    }
    assert.include(engineFailure(`Code: 86. DB::Exception: ${address}. HTTP`).message, "/b/k%20%7Ba%2Cb%7D?[redacted]")
    assert.strictEqual(engineFailure("Code: 6. DB::Exception: what? a = b, 'x?'").message, "what? a = b, 'x?'")
  })

  it("name the row that the format could not read", () => {
    const failure = engineFailure(bad)
    assert.strictEqual(failure.code, 27)
    assert.strictEqual(rejectedRow(failure), 2)
    assert.strictEqual(
      rejectionReason(failure),
      "Cannot parse input: expected ',' before: 'x\\n': (while reading the value of key n)"
    )
    const embedded = engineFailure(bad.replace("Code: 27.", "Code: 27. DB::Exception: Code: 27."))
    assert.deepStrictEqual([embedded.code, rejectedRow(embedded)], [27, 2])
    assert.notInclude(embedded.message, "version")
    const byFile = engineFailure(
      bad.replace(": While", ": (in file/uri /data/(a)/headgate_inserts/1f-2e): While").replace("stdin", "file")
    )
    assert.strictEqual(rejectedRow(byFile), 2)
    assert.notInclude(byFile.message, "headgate_inserts")
  })

  it("are not misled by the text of a row", () => {
    const mark = "(at row 1): While executing JSONEachRowRowInputFormat"
    assert.strictEqual(rejectedRow(engineFailure(bad.replace("'x", `'${mark}`))), 2)
    for (const text of [
      `Code: 6. DB::Exception: Cannot parse string '${mark}' as UInt8: while pushing to view d.v (4f). (CANNOT_PARSE_TEXT)`,
      "Code: 241. DB::Exception: Memory limit exceeded: (at row 3)",
      "Code: 395. DB::Exception: Value passed to 'throwIf' is non-zero. (at row 3)",
      "socket hang up"
    ]) {
      assert.isUndefined(rejectedRow(engineFailure(text)), text)
    }
  })

  const badCsv = (content: string, reason = `Unknown element '${content}' for enum`) =>
    [
      `Code: 691. DB::Exception: ${reason}: (at row 3)`,
      ": ",
      "Row 2:",
      'Column 0,   name: n, type: UInt64, parsed text: "1"',
      "",
      "Row 3:",
      `Column 0,   name: n, type: UInt64, parsed text: "(at row 9): While executing CSVRowInputFormat"ERROR`,
      `Code: 691. DB::Exception: ${reason}. (UNKNOWN_ELEMENT_OF_ENUM) (version 26.7.2.1)`,
      "",
      ": While executing CSVRowInputFormat: data for INSERT was parsed from stdin. (UNKNOWN_ELEMENT_OF_ENUM)"
    ].join("\n")

  it("name the row of CSV and TSV, whose diagnostics hold texts of the rows", () => {
    for (const more of ["", "x".repeat(5000)]) {
      const failure = engineFailure(badCsv("x").replaceAll("parsed text: ", `parsed text: ${more}`))
      assert.deepStrictEqual([failure.code, rejectedRow(failure)], [691, 2])
      assert.strictEqual(rejectionReason(failure), "Unknown element 'x' for enum")
    }
  })

  it("name no row of CSV if a text looks like the number of another one", () => {
    for (const text of [
      "(at row 1)\n: \nRow 1:",
      "(at row 1)\n: While executing CSVRowInputFormat",
      "(at row 1)\n: x: While executing CSVRowInputFormat"
    ]) {
      const failure = engineFailure(badCsv(text))
      assert.strictEqual(failure.code, 691)
      assert.isUndefined(rejectedRow(failure), text)
    }
  })

  it("have a message of bounded length, which names the row also after a long quotation", () => {
    assert.isAtMost(engineFailure("x".repeat(1_000_000)).message.length, 1000)
    const failure = engineFailure(bad.replace("'x", `'${"{}\n".repeat(100_000)}`))
    assert.isAtMost(failure.message.length, 1000)
    assert.strictEqual(rejectedRow(failure), 2)
    assert.match(rejectionReason(failure), /^Cannot parse input: expected ',' before: '\{\}/)
  })
})
