import { assert, describe, it } from "vitest"
import { differenceFaults, unservedFaults } from "../src/check.ts"
import { differences } from "../src/differences.ts"
import { extractedFile, ourDocument, readDocument } from "../src/documents.ts"
import { extract } from "../src/extract.ts"
import { decodeOpenApi, type OpenApi } from "../src/OpenApi.ts"
import { ruled } from "../src/ruled.ts"
import { compatibilityPage, serverList } from "../src/written.ts"

const keys = "/v1/organizations/{organizationId}/keys"
const json = (schema: object) => ({ content: { "application/json": { schema } } })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const key = {
  properties: {
    name: { type: "string", minLength: 1, maxLength: 100 },
    state: { type: "string", enum: ["enabled", "disabled"] },
    roles: { type: "array", items: { type: "string" }, maxItems: 10 }
  },
  required: ["name"]
}

const line = { properties: { displayType: { enum: ["line"] }, color: { type: "string" } }, required: ["displayType"] }
const table = { properties: { displayType: { enum: ["table"] }, limit: { type: "integer", minimum: 1 } } }

/** A document with one path, whose schemas are the given ones. */
const documentOf = (schemas: object, more: object = {}): OpenApi =>
  decodeOpenApi({
    info: { title: "Keys", version: "1" },
    paths: {
      [keys]: {
        get: {
          parameters: [{ name: "limit", in: "query", schema: { type: "integer", maximum: 250 } }],
          responses: { "200": json({ properties: { result: { type: "array", items: ref("Key") } } }) }
        },
        post: { requestBody: json(ref("Key")), responses: { "200": json({ properties: { result: ref("Key") } }) } }
      }
    },
    components: { schemas: { Key: key, ...schemas } },
    ...more
  })

const published = documentOf({})
const withKey = (changes: object) => documentOf({ Key: { ...key, properties: { ...key.properties, ...changes } } })

describe("what differs", () => {
  it("is nothing in the same document, however its schemas and path parameters are named", () => {
    assert.deepStrictEqual(differences(published, published), [])
    const renamed = JSON.stringify(published)
      .replaceAll("Key", "ApiKey")
      .replaceAll("{organizationId}", "{organization}")
    assert.deepStrictEqual(differences(published, decodeOpenApi(JSON.parse(renamed))), [])
  })

  it("is a value taken out of a list, and one put in", () => {
    assert.deepStrictEqual(differences(published, withKey({ state: { type: "string", enum: ["enabled"] } })), [
      'lacks Key.state enum "disabled"'
    ])
    assert.deepStrictEqual(
      differences(published, withKey({ state: { type: "string", enum: ["enabled", "disabled", "new"] } })),
      ['adds Key.state enum "new"']
    )
  })

  it("is a request that takes any value", () => {
    assert.deepStrictEqual(differences(published, withKey({ state: { type: "string" } })), [
      "lacks Key.state a list of values"
    ])
  })

  it("is not the type of a list of integers", () => {
    const least = (type: string) => withKey({ least: { type, enum: [0, 1] } })
    assert.deepStrictEqual(differences(least("integer"), least("number")), [])
    const half = withKey({ least: { type: "number", enum: [0, 0.5] } })
    assert.include(differences(least("integer"), half), "lacks Key.least integer")
  })

  it("is a field, without what is said of it", () => {
    const { roles: _roles, ...others } = key.properties
    assert.deepStrictEqual(differences(published, documentOf({ Key: { ...key, properties: others } })), [
      "lacks Key.roles field"
    ])
    assert.deepStrictEqual(differences(published, withKey({ note: { type: "string", maxLength: 5 } })), [
      "adds Key.note field"
    ])
  })

  it("is a bound, a type and what is required", () => {
    assert.deepStrictEqual(differences(published, withKey({ name: { type: "string", minLength: 1, maxLength: 50 } })), [
      "adds Key.name maxLength 50",
      "lacks Key.name maxLength 100"
    ])
    assert.deepStrictEqual(
      differences(published, withKey({ roles: { type: "array", items: { type: "number" }, maxItems: 10 } })),
      ["adds Key.roles[] type number", "lacks Key.roles[] type string"]
    )
    assert.deepStrictEqual(differences(published, documentOf({ Key: { ...key, required: ["name", "state"] } })), [
      "adds Key.state required"
    ])
    assert.deepStrictEqual(differences(published, documentOf({ Key: { ...key, required: [] } })), [
      "lacks Key.name required"
    ])
  })

  it("is a bound of a parameter and a whole operation", () => {
    const text = JSON.stringify(published)
    assert.deepStrictEqual(differences(published, decodeOpenApi(JSON.parse(text.replace("250", "251")))), [
      "adds GET /v1/organizations/{}/keys parameter.limit maximum 251",
      "lacks GET /v1/organizations/{}/keys parameter.limit maximum 250"
    ])
    assert.deepStrictEqual(differences(published, decodeOpenApi(JSON.parse(text.replace('"post"', '"put"')))), [
      "lacks POST /v1/organizations/{}/keys"
    ])
    assert.deepStrictEqual(differences(published, decodeOpenApi(JSON.parse(text.replace('"requestBody"', '"body"')))), [
      "lacks Key type object"
    ])
  })

  it("names the place if other places of the field do not differ", () => {
    const both = (post: string) =>
      documentOf({
        Key: { properties: { first: ref("Part"), second: ref(post) } },
        Part: key,
        Other: { properties: {} }
      })
    assert.deepStrictEqual(differences(both("Part"), both("Other")), [
      "lacks Part.name field in second.name",
      "lacks Part.roles field in second.roles",
      "lacks Part.state field in second.state"
    ])
  })

  it("is told for each kind of chart, and of a union what all its members require", () => {
    const charts = (...members: ReadonlyArray<object>) =>
      documentOf({ Key: { properties: { config: { oneOf: members } } }, Line: line, Table: table })
    assert.deepStrictEqual(differences(charts(ref("Line"), ref("Table")), charts(ref("Line"))), [
      "lacks Table type object"
    ])
    const narrow = { properties: { ...line.properties, limit: { type: "integer" } }, required: ["displayType"] }
    assert.deepStrictEqual(differences(charts(ref("Line"), ref("Table")), charts(narrow, ref("Table"))), [
      "adds Line.limit field"
    ])
    const first = { properties: { id: { type: "string" } }, required: ["id"] }
    const second = { properties: { template: { type: "string" } }, required: ["template"] }
    const merged = { properties: { ...first.properties, ...second.properties } }
    assert.deepStrictEqual(differences(charts(first, second), charts(merged)), [])
  })
})

describe("the check", () => {
  const ours = withKey({ state: { type: "string", enum: ["enabled"] } })
  const known = { reason: "It is so.", differences: ['lacks Key.* enum "disabled"'] }

  it("passes a known difference, and reports one that is unknown and a known one that is none", () => {
    assert.deepStrictEqual(differenceFaults([published], ours, [known]), [])
    assert.deepStrictEqual(differenceFaults([published], ours, []), ['differs: lacks Key.state enum "disabled"'])
    assert.deepStrictEqual(differenceFaults([published], published, [known]), [
      'listed in knownDifferences.ts, but no difference: lacks Key.* enum "disabled"'
    ])
  })

  it("reports a path that is not listed as not served, a listed one that is served, and one that is not published", () => {
    const usage = "/v1/organizations/{organizationId}/usage"
    const other = documentOf({}, { "x-other-paths": [usage, `${usage}/{id}`] })
    const listed = { path: usage, reason: "bills" }
    assert.deepStrictEqual(unservedFaults([other], published, [listed]), [])
    assert.lengthOf(unservedFaults([other], published, []), 2)
    assert.lengthOf(unservedFaults([published], published, [listed]), 1)
    assert.deepStrictEqual(unservedFaults([published], published, [{ ...listed, isUnpublished: true }]), [])
    assert.lengthOf(unservedFaults([published], published, [{ ...listed, path: keys, isUnpublished: true }]), 1)
  })

  it("reports an operation that is served, and of which the document at hand has only the name", () => {
    const other = documentOf({}, { paths: {}, "x-other-operations": [`GET ${keys}`], "x-other-paths": [] })
    assert.deepStrictEqual(differenceFaults([other], published, []), ["differs: adds GET /v1/organizations/{}/keys"])
  })
})

describe("the facts of a published document", () => {
  it("are those of what is served, and the names of all else", () => {
    const text = JSON.stringify({
      ...published,
      paths: { ...published.paths, "/v1/other": { get: { responses: { "200": json(ref("Unread")) } } } },
      components: { schemas: { ...published.components.schemas, Unread: key } }
    })
    const served = decodeOpenApi(JSON.parse(JSON.stringify(published).replace('"post"', '"put"')))
    const { components, paths, ...others } = extract(decodeOpenApi(JSON.parse(text)), served)
    assert.deepStrictEqual(Object.keys(components.schemas), ["Key"])
    assert.deepStrictEqual(Object.keys(paths[keys] ?? {}), ["get"])
    assert.deepStrictEqual(others["x-other-operations"], [`POST ${keys}`])
    assert.deepStrictEqual(others["x-other-paths"], ["/v1/other"])
  })

  it("are no text but names and values", () => {
    const described = documentOf({ Key: { ...key, description: "A key.", title: "Key", example: { name: "ci" } } })
    assert.deepStrictEqual(described, published)
  })
})

describe("the files made of the lists", () => {
  const unserved = { path: "/v1/organizations/{organizationId}/usage", reason: "bills" }
  const known = { reason: "It is so.", differences: ["lacks Key.*", "adds a|b"] }
  const page = (paths: string, rows: string) =>
    `# Page\n\n<!-- drift:unserved -->\n${paths}<!-- /drift:unserved -->\n\n<!-- drift:differences -->\n${rows}<!-- /drift:differences -->\n`

  it("are the sections of the page, between their markers", () => {
    assert.strictEqual(
      compatibilityPage(page("old\n", ""), [unserved], [known]),
      page(
        "\n| Path | |\n|---|---|\n| `/v1/organizations/{organizationId}/usage` | bills |\n\n",
        "\n| Why | Difference |\n|---|---|\n| It is so. | `lacks Key.*`<br>`adds a\\|b` |\n\n"
      )
    )
    assert.throws(() => compatibilityPage("# Page\n", [unserved], [known]), "drift:unserved")
  })

  it("are the list of the server, by the paths of its routes", () => {
    assert.include(serverList([unserved]), '[\n  "/v1/organizations/:organizationId/usage"\n]')
  })
})

describe("our document and the published one of pipes", () => {
  const management = readDocument(extractedFile("management"))
  const ours = ourDocument()
  const found = differences(management, ours, ruled)
  const added = (after: ReadonlyArray<string>) => after.filter((one) => !found.includes(one))

  it("differ without a value of a table, in requests and in answers", () => {
    const text = JSON.stringify(ours)
    const without = decodeOpenApi(JSON.parse(text.replaceAll(/,"AvroConfluent"|"AvroConfluent",/gu, "")))
    assert.deepStrictEqual(added(differences(management, without, ruled)), [
      'lacks ClickPipeKafkaSource.format enum "AvroConfluent"',
      'lacks ClickPipeKinesisSource.format enum "AvroConfluent"'
    ])
  })

  it("differ without a value or a bound of the rules of a new pipe, which our document does not have", () => {
    const gone = ['enum "AvroConfluent"', "maximum 65535"]
    const without = differences(management, ours, (operation, facts) =>
      ruled(operation, facts).filter(({ says }) => !gone.includes(says))
    )
    const lost = added(without)
    assert.include(lost, 'lacks ClickPipePostKafkaSource.format enum "AvroConfluent"')
    assert.include(lost, "lacks ClickPipeMutatePostgresSource.port maximum 65535")
    assert.deepStrictEqual(
      lost.filter((one) => !gone.some((says) => one.includes(says))),
      []
    )
  })
})
