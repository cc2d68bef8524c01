import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { fieldsIn, rowsOfFields } from "../../src/pages/create/columnRows.ts"
import { reviewOf, variableOf, withoutSecrets } from "../../src/pages/create/review.ts"
import { isFirstOfSource, sourceKinds } from "../../src/pages/create/sourceKinds.ts"
import { toYaml } from "../../src/pages/create/yaml.ts"
import { nodeOf } from "../../src/parts/schemaForm/schemaNode.ts"

const text = { type: "string" }
const node = nodeOf(
  {
    properties: {
      name: text,
      startPaused: { type: "boolean" },
      source: {
        properties: {
          kafka: {
            properties: {
              brokers: text,
              credentials: { properties: { username: text, password: text } },
              logins: { type: "array", items: { properties: { secretKey: text } } }
            }
          }
        }
      }
    }
  },
  {}
)
const request = {
  name: "Übermäßige orders!",
  startPaused: true,
  source: {
    kafka: {
      brokers: "b:9092",
      credentials: { username: "me", password: "MARKED-1", privateKey: "MARKED-2" },
      logins: [{ secretKey: "MARKED-3" }]
    }
  }
}

describe("a review", () => {
  const review = reviewOf(node, request)

  it("has no secret in any of its forms", () => {
    expect(JSON.stringify(review)).not.toContain("MARKED")
  })

  it("has the request as JSON, and the command that sends it", () => {
    expect(JSON.parse(review.json)).toEqual({
      name: "Übermäßige orders!",
      startPaused: true,
      source: {
        kafka: {
          brokers: "b:9092",
          credentials: { username: "me", password: "<password>", privateKey: "<privateKey>" },
          logins: [{ secretKey: "<secretKey>" }]
        }
      }
    })
    expect(review.command).toBe("headgate pipe create --file uberma-ige-orders.json --wait")
    expect(review.jsonFile).toBe("uberma-ige-orders.json")
  })

  it("has a file for apply, whose secrets are variables", () => {
    expect(review.yamlFile).toBe("uberma-ige-orders.pipe.yaml")
    expect(review.yaml).toBe(
      [
        'name: "Übermäßige orders!"',
        "stopped: true",
        "source:",
        "  kafka:",
        '    brokers: "b:9092"',
        "    credentials:",
        "      username: me",
        '      password: "${env:KAFKA_CREDENTIALS_PASSWORD}"',
        '      privateKey: "${env:KAFKA_CREDENTIALS_PRIVATE_KEY}"',
        "    logins:",
        '      - secretKey: "${env:KAFKA_LOGINS_0_SECRET_KEY}"',
        ""
      ].join("\n")
    )
    expect(review.variables).toEqual([
      "KAFKA_CREDENTIALS_PASSWORD",
      "KAFKA_CREDENTIALS_PRIVATE_KEY",
      "KAFKA_LOGINS_0_SECRET_KEY"
    ])
  })

  it("names a file of a name without letters, and starts what is not paused", () => {
    const { yaml, yamlFile } = reviewOf(node, Object.assign({}, request, { name: "…", startPaused: false }))
    expect(yamlFile).toBe("pipe.pipe.yaml")
    expect(yaml).not.toMatch(/stopped|startPaused/)
  })

  it("hides what no schema describes by its name, and no text of another name", () => {
    expect(withoutSecrets({ kind: "json" }, { token: "x", tokens: ["y"], name: "z", password: 5 }, () => "*")).toEqual({
      token: "*",
      tokens: ["*"],
      name: "z",
      password: 5
    })
  })

  it("names a variable by the path", () => {
    expect(variableOf("source.objectStorage.accessKey.secretKey")).toBe("OBJECT_STORAGE_ACCESS_KEY_SECRET_KEY")
  })
})

describe("YAML", () => {
  it.each([
    [{}, "{}\n"],
    ["a b", '"a b"\n'],
    [{ a: [], b: {}, c: null, d: 1.5, e: false }, "a: []\nb: {}\nc: null\nd: 1.5\ne: false\n"],
    [{ a: ["x", ["z"], { b: 1, c: [2] }] }, "a:\n  - x\n  - - z\n  - b: 1\n    c:\n      - 2\n"],
    [
      {
        a: "yes",
        b: "No",
        c: "null",
        d: "5",
        e: "",
        f: "x: y",
        g: "a\nb",
        h: "-",
        i: "#",
        j: "a/b.c-d_1",
        k: "n",
        l: "~"
      },
      'a: "yes"\nb: "No"\nc: "null"\nd: "5"\ne: ""\nf: "x: y"\ng: "a\\nb"\nh: "-"\ni: "#"\nj: a/b.c-d_1\nk: "n"\nl: "~"\n'
    ],
    [{ "a b": { true: 1 } }, '"a b":\n  "true": 1\n']
  ])("of %j", (value, yaml) => {
    expect(toYaml(value)).toBe(yaml)
  })
})

describe("the columns of discovered fields", () => {
  const fields = [
    { name: "a", type: "Int8" },
    { name: "b", type: "String" }
  ]
  it("have their names and types", () => {
    expect(rowsOfFields(fields, [])).toEqual([
      { field: "a", name: "a", type: "Int8", isLeftOut: false },
      { field: "b", name: "b", type: "String", isLeftOut: false }
    ])
  })

  it("keep what was changed and added by hand, without the fields that are gone", () => {
    const changed = { field: "b", name: "c", type: "Date", isLeftOut: true }
    const added = { field: undefined, name: "d", type: "String", isLeftOut: false }
    const gone = { field: "x", name: "x", type: "String", isLeftOut: false }
    expect(rowsOfFields(fields, [gone, added, changed])).toEqual([
      { field: "a", name: "a", type: "Int8", isLeftOut: false },
      changed,
      added
    ])
  })

  it("leave out what has no name or no type", () => {
    expect(fieldsIn([{ name: "a", type: null }, { name: "b" }, { type: "c" }, { name: "d", type: "e" }])).toEqual([
      { name: "d", type: "e" }
    ])
    expect(fieldsIn(null)).toEqual([])
  })
})

/** The fields of each kind that are always required, as docs/pipe-sources.md lists them from the rules. */
const requiredFields = (): ReadonlyArray<readonly [string, string]> => {
  const page = readFileSync(new URL("../../../../docs/pipe-sources.md", import.meta.url), "utf8")
  return page.split(/^## /m).flatMap((section) => {
    const [kind = ""] = section.split("\n")
    return Array.from(
      section.matchAll(/^\| `([\w.]+)` \| required(?:;| \|)/gm),
      ([, field = ""]) => [kind, field] as const
    )
  })
}

/** Whether the object that has a field may be absent, so that the field is required only with it. */
const isOptionalObject = (field: string, required: ReadonlySet<string>): boolean => {
  const parent = field.split(".").slice(0, -1).join(".")
  return parent !== "" && (!required.has(parent) || isOptionalObject(parent, required))
}

const texts = (preset: unknown): ReadonlyArray<string> =>
  typeof preset === "string" ? [preset] : Object.values(Object(preset)).flatMap(texts)

describe("a kind of source", () => {
  it("has fields that can be discovered if the contract says so", () => {
    const page = readFileSync(new URL("../../../../docs/wire-contract.md", import.meta.url), "utf8")
    const sentence = /^Only ((?:`\w+`(?:, | and )?)+); another source is a 400\.$/m.exec(page)?.[1] ?? ""
    const discoverable = Array.from(sentence.matchAll(/`(\w+)`/g), ([, kind]) => kind)
    expect(discoverable.length).toBeGreaterThan(2)
    expect(Object.keys(sourceKinds).filter((kind) => sourceKinds[kind]?.hasFields)).toEqual(discoverable)
  })

  it.each(Object.entries(sourceKinds))("begins with values that the rules of %s have", (kind, { preset }) => {
    const page = readFileSync(new URL("../../../../docs/pipe-sources.md", import.meta.url), "utf8")
    const section = page.split(/^## /m).find((one) => one.startsWith(`${kind}\n`)) ?? ""
    for (const text of texts(preset).filter((one) => !["5432", "3306", "public"].includes(one)))
      expect(section).toMatch(new RegExp(`[\`\\s]${text}\``))
  })
})

describe("the fields of a source that are shown at once", () => {
  const required = requiredFields()
  it("are those of every kind that has rules", () => {
    expect(new Set(required.map(([kind]) => kind))).toEqual(new Set(Object.keys(sourceKinds)))
    expect(required.length).toBeGreaterThan(40)
  })

  it.each(
    required.filter(
      ([kind, field]) =>
        !isOptionalObject(field, new Set(required.filter(([one]) => one === kind).map(([, name]) => name)))
    )
  )("have what %s requires: %s", (kind, field) => {
    expect(isFirstOfSource(kind, `source.${kind}.${field}`)).toBe(true)
  })

  it("are those of each item, all of an unknown kind, and not every one", () => {
    expect(isFirstOfSource("postgres", "source.postgres.tableMappings[12].targetTable")).toBe(true)
    expect(isFirstOfSource("postgres", "source.postgres.tlsHost")).toBe(false)
    expect(isFirstOfSource("other", "source.other.any")).toBe(true)
  })
})
