import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { Pipe } from "../../src/pipe/Pipe.ts"
import { PipeSourceCreate } from "../../src/pipe/PipeSource.ts"
import {
  answeredSecretFields,
  credentialFields,
  joinCredentials,
  PipeCredentials,
  splitCredentials
} from "../../src/pipe/credentialFields.ts"

const marked = (path: string) => `SECRET-${path}`

const document = {
  kafka: {
    brokers: "b:9092",
    credentials: { username: marked("user"), password: marked("password"), newInTheService: marked("new") },
    schemaRegistry: { url: "https://r.example.com", credentials: { username: "r", password: marked("registry") } },
    protobufSchema: marked("kafka schema")
  },
  kinesis: {
    streamName: "s",
    accessKey: { accessKeyId: "a", secretKey: marked("kinesis") },
    protobufSchema: marked("kinesis schema")
  },
  objectStorage: {
    connectionString: "AccountKey=answered",
    accessKey: { accessKeyId: "a", secretKey: marked("storage") },
    serviceAccountKey: marked("account")
  },
  postgres: { host: "h", credentials: { username: "u", password: marked("postgres") } },
  mysql: { host: "h", credentials: { username: "u", password: marked("mysql") } },
  mongodb: { uri: "mongodb://h", credentials: { username: "u", password: marked("mongodb") } },
  bigquery: { credentials: { serviceAccountFile: marked("bigquery") } },
  pubsub: { topic: "t", serviceAccountKey: { serviceAccountFile: marked("pubsub") } }
}

const sent = Schema.decodeUnknownSync(PipeSourceCreate)(document)

describe("the credentials of a source", () => {
  it("are those of the contract, and no answer but the connection string holds one", () => {
    assert.sameMembers(
      [...credentialFields],
      [
        "kafka.credentials",
        "kafka.schemaRegistry.credentials",
        "kafka.protobufSchema",
        "kinesis.accessKey",
        "kinesis.protobufSchema",
        "objectStorage.accessKey",
        "objectStorage.serviceAccountKey",
        "postgres.credentials",
        "mysql.credentials",
        "mongodb.credentials",
        "bigquery.credentials",
        "pubsub.serviceAccountKey"
      ]
    )
    assert.deepStrictEqual([...answeredSecretFields], ["objectStorage.connectionString"])
  })

  it("are split off, each by its path, and joined again to what was sent", () => {
    const { credentials, source } = splitCredentials(sent)
    assert.sameMembers(Object.keys(credentials), [...credentialFields])
    const answered = JSON.stringify(Schema.encodeSync(Pipe.schema.fields.source)(source))
    assert.notInclude(answered, "SECRET")
    assert.include(answered, "AccountKey=answered")
    const stored = Schema.decodeUnknownSync(PipeCredentials)(Schema.encodeSync(PipeCredentials)(credentials))
    const joined = Schema.decodeUnknownSync(PipeSourceCreate)(
      Schema.encodeUnknownSync(PipeSourceCreate)(joinCredentials(source, stored))
    )
    assert.deepStrictEqual<unknown>(Schema.encodeSync(PipeSourceCreate)(joined), document)
  })

  it("print as a label, whatever they hold", () => {
    for (const value of [sent, splitCredentials(sent), joinCredentials(sent, splitCredentials(sent).credentials)]) {
      assert.notInclude(JSON.stringify(value), "SECRET")
    }
  })

  it("are split off a document that did not name them as secrets, such as an imported pipe", () => {
    const imported = Schema.decodeUnknownSync(Pipe.schema.fields.source)(document)
    assert.isObject(imported)
    if (!imported) return
    assert.notInclude(JSON.stringify(splitCredentials(imported)), "SECRET")
  })

  it("are absent where they are null, and a source without them is returned as it is", () => {
    const without = Schema.decodeUnknownSync(PipeSourceCreate)({ kafka: { topics: "t" } })
    assert.strictEqual(splitCredentials(without).source, without)
    const empty = Schema.decodeUnknownSync(PipeSourceCreate)({ kafka: { topics: "t", credentials: null } })
    assert.deepStrictEqual<unknown>(splitCredentials(empty), { source: { kafka: { topics: "t" } }, credentials: {} })
  })
})
