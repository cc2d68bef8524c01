import { describe, expect, it } from "vitest"
import { destinationOf, isFirstOfDestination, pipeFormOf } from "../../src/pages/create/pipeForm.ts"
import {
  emptyDraft,
  errorsOfStep,
  firstWrong,
  type PipeDraft,
  readPipe,
  stepOfPath,
  stepsOf
} from "../../src/pages/create/pipeRequest.ts"
import { serverErrors } from "../../src/pages/create/serverErrors.ts"

const text = { type: "string" }
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const document = {
  paths: {
    "/v1/pipes": { post: { requestBody: { content: { "application/json": { schema: ref("PipeCreate") } } } } },
    "/v1/other": {}
  },
  components: {
    schemas: {
      PipeCreate: {
        type: "object",
        required: ["name", "source"],
        properties: {
          name: text,
          source: ref("Source"),
          destination: ref("Destination"),
          fieldMappings: { type: "array", items: text },
          scaling: { type: "object", properties: { replicas: { type: "integer", minimum: 1 } } },
          startPaused: { type: "boolean" }
        }
      },
      Source: {
        type: "object",
        properties: {
          kafka: { type: "object", properties: { brokers: text, topics: text } },
          postgres: { type: "object", properties: { host: text, port: { type: "integer" } } },
          validateSamples: { type: "boolean" }
        }
      },
      Destination: {
        type: "object",
        properties: {
          database: text,
          table: text,
          managedTable: { type: "boolean" },
          columns: { type: "array", items: text },
          roles: { type: "array", items: text },
          tableDefinition: {
            type: "object",
            properties: { sortingKey: { type: "array", items: text }, ttl: text }
          }
        }
      }
    }
  }
}
const form = pipeFormOf(document, "POST", "/v1/pipes")
if (form === undefined) throw new Error("There is no form.")

const column = (field: string | undefined, name: string, type = "String", isLeftOut = false) => ({
  field,
  name,
  type,
  isLeftOut
})
const kafka: PipeDraft = {
  ...emptyDraft,
  name: " orders ",
  kind: "kafka",
  sources: { kafka: { brokers: "b:9092", topics: "t" }, postgres: { host: "h" } },
  destination: { database: "d", table: "t", managedTable: "true" },
  columns: [column("id", "id")]
}

describe("the form of a new pipe", () => {
  it("has the kinds of the document, the destination and what else there is", () => {
    expect(form.kinds.map(({ kind, title }) => [kind, title])).toEqual([
      ["kafka", "Kafka"],
      ["postgres", "Postgres"]
    ])
    expect(form.options.members.map(({ name }) => name)).toEqual(["source", "scaling", "startPaused"])
  })

  it("asks for nothing else of a source that has nothing else", () => {
    expect(form.options.members[0]).toMatchObject({ name: "source", isRequired: false, description: "" })
    const { schemas } = document.components
    const without = { ...schemas, Source: { properties: { kafka: schemas.Source.properties.kafka } } }
    const other = pipeFormOf({ ...document, components: { schemas: without } }, "POST", "/v1/pipes")
    expect(other?.options.members.map(({ name }) => name)).toEqual(["scaling", "startPaused"])
  })

  it("begins with a table that the pipe manages", () => {
    expect(readPipe(form, { ...kafka, destination: emptyDraft.destination }, "en").request).toMatchObject({
      destination: { database: "default", managedTable: true }
    })
  })

  it("is none without the operation", () => {
    expect(pipeFormOf(document, "POST", "/v1/other")).toBeUndefined()
  })

  it("asks for a table of a stream, without the columns, and for the database alone of a database", () => {
    const members = (hasFields: boolean) =>
      destinationOf(form, hasFields, ["a"]).members.map(({ isRequired, name }) => [name, isRequired])
    expect(members(true)).toEqual([
      ["database", true],
      ["table", true],
      ["managedTable", true],
      ["roles", false],
      ["tableDefinition", false]
    ])
    expect(members(false)).toEqual([
      ["database", true],
      ["roles", false]
    ])
  })

  it("offers the columns for the sorting key", () => {
    const table = destinationOf(form, true, ["a", "b"]).members.find(({ name }) => name === "tableDefinition")
    expect(table?.node).toMatchObject({
      members: [
        { name: "sortingKey", node: { kind: "list", item: { type: "choice", choices: ["a", "b"] } } },
        { name: "ttl", node: { type: "text" } }
      ]
    })
    expect(isFirstOfDestination("destination.tableDefinition.sortingKey")).toBe(true)
    expect(isFirstOfDestination("destination.roles")).toBe(false)
  })
})

describe("the request of a new pipe", () => {
  it("has the chosen source, its columns and their fields", () => {
    const draft = {
      ...kafka,
      columns: [
        column("id", " order_id "),
        column("at", "at", " Date "),
        column("x", "x", "Int8", true),
        column(undefined, "y")
      ],
      destination: { ...Object(kafka.destination), tableDefinition: { sortingKey: ["at"] } },
      options: { source: { validateSamples: "true" }, scaling: { replicas: "2" }, startPaused: "true" }
    }
    expect(readPipe(form, draft, "en")).toEqual({
      request: {
        name: "orders",
        source: { validateSamples: true, kafka: { brokers: "b:9092", topics: "t" } },
        destination: {
          database: "d",
          table: "t",
          managedTable: true,
          tableDefinition: { sortingKey: ["at"] },
          columns: [
            { name: "order_id", type: "String" },
            { name: "at", type: "Date" },
            { name: "y", type: "String" }
          ]
        },
        fieldMappings: [{ sourceField: "id", destinationField: "order_id" }],
        scaling: { replicas: 2 },
        startPaused: true
      },
      errors: {}
    })
  })

  it("has no table and no columns for a database", () => {
    expect(readPipe(form, { ...kafka, kind: "postgres" }, "en")).toEqual({
      request: { name: "orders", source: { postgres: { host: "h" } }, destination: { database: "d" } },
      errors: {}
    })
  })

  it.each([
    ["no name", { name: " " }, { name: "Enter a name." }],
    ["no source", { kind: "" }, { source: "Choose a source." }],
    [
      "no columns",
      { columns: [column("a", "a", "String", true)] },
      { "destination.columns": "The table needs a column." }
    ],
    [
      "no destination at all",
      { destination: undefined },
      { "destination.database": "Enter a value.", "destination.table": "Enter a value." }
    ],
    ["no table", { destination: { database: "d", managedTable: "true" } }, { "destination.table": "Enter a value." }],
    [
      "columns without a name or a type, and twice",
      { columns: [column("x", "x", "Int8", true), column("a", " ", ""), column("b", "b"), column("c", "b")] },
      {
        "destination.columns[0].name": "Enter a name.",
        "destination.columns[0].type": "Enter a type.",
        "destination.columns[2].name": "Another column has this name."
      }
    ],
    [
      "a sorting key of what is no column, takes null, or is there twice",
      {
        columns: [column("a", "a"), column("n", "n", "Nullable(String)"), column("o", "o", "String", true)],
        destination: {
          database: "d",
          table: "t",
          managedTable: "true",
          tableDefinition: { sortingKey: ["a", "n", "o", "a"] }
        }
      },
      {
        "destination.tableDefinition.sortingKey[1]": "The column takes null, and a sorting key does not.",
        "destination.tableDefinition.sortingKey[2]": "The table has no such column.",
        "destination.tableDefinition.sortingKey[3]": "It is in the key already."
      }
    ],
    [
      "a wrong option",
      { options: { scaling: { replicas: "0" } } },
      { "scaling.replicas": "The number is out of bounds." }
    ]
  ])("tells %s", (_, change, errors) => {
    expect(readPipe(form, { ...kafka, ...change }, "en").errors).toMatchObject(errors)
    expect(Object.keys(readPipe(form, { ...kafka, ...change }, "en").errors).length).toBeGreaterThanOrEqual(
      Object.keys(errors).length
    )
  })
})

describe("the steps", () => {
  it("have a discovery for streams and files alone", () => {
    expect(stepsOf("kafka")).toEqual(["source", "fields", "discover", "destination", "review"])
    expect(stepsOf("postgres")).toEqual(["source", "fields", "destination", "review"])
  })

  it.each([
    ["name", "kafka", "fields"],
    ["source", "", "source"],
    ["source", "kafka", "fields"],
    ["source.kafka.brokers", "kafka", "fields"],
    ["source.validateSamples", "kafka", "destination"],
    ["destination.columns[0].name", "kafka", "destination"],
    ["fieldMappings[0]", "kafka", "destination"],
    ["settings.x", "kafka", "destination"],
    ["scaling", "kafka", "destination"],
    ["startPaused", "kafka", "destination"],
    ["other", "kafka", undefined],
    ["", "kafka", undefined]
  ])("have %s of %s in %s", (path, kind, step) => {
    expect(stepOfPath(path, kind)).toBe(step)
  })

  it("show the first one that is wrong, with its errors", () => {
    const errors = { "destination.table": "Two.", "source.kafka.brokers": "One.", other: "None." }
    expect(firstWrong(errors, "kafka")).toBe("fields")
    expect(errorsOfStep(errors, "destination", "kafka")).toEqual({ "destination.table": "Two." })
    expect(firstWrong({ other: "None." }, "kafka")).toBeUndefined()
  })
})

describe("what the server finds wrong", () => {
  it("is shown at the fields of the page", () => {
    const errors = {
      name: "1",
      source: "11",
      "source.kafka.brokers": "2",
      "source.kafka.secret.deep": "3",
      "source.validateSamples": "4",
      "destination.database": "5",
      "destination.columns.1.type": "6",
      "fieldMappings[0].sourceField": "7",
      "scaling.replicas": "8",
      "": "9",
      unknown: "10"
    }
    expect(serverErrors(form, kafka, errors)).toEqual({
      name: "1",
      source: "11",
      "source.kafka.brokers": "2",
      "source.kafka": "3",
      "source.validateSamples": "4",
      "destination.database": "5",
      "destination.columns[1].type": "6",
      fieldMappings: "7",
      "scaling.replicas": "8"
    })
  })
})
