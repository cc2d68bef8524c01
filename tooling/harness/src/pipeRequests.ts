// Requests for pipes that move the rows of a test.

/** The password or secret key of each source that has one. */
export const sourcePassword = "the-password-of-the-source"

/** The table `t` of a database, for rows as `{"n":1,"text":"..."}`. */
export const rowsTable = (database: string, definition: object = {}) => ({
  database,
  table: "t",
  managedTable: true,
  columns: [
    { name: "n", type: "UInt32" },
    { name: "text", type: "String" }
  ],
  tableDefinition: { engine: { type: "MergeTree" }, sortingKey: ["n"], ...definition }
})

/** A pipe from a topic of rows to the table `t` of a database, in small batches. */
export const kafkaRequest = (brokers: string, topic: string, database: string, kafka: object = {}) => ({
  name: topic,
  source: {
    kafka: { type: "kafka", format: "JSONEachRow", brokers, topics: topic, ...kafka }
  },
  destination: rowsTable(database),
  settings: { streaming_max_insert_wait_ms: 500 }
})

/** A pipe from the objects at a URL, with globs, to the table `t` of a database. */
export const objectStorageRequest = (url: string, database: string, objectStorage: object = {}) => ({
  name: "objects",
  source: {
    objectStorage: {
      type: "s3",
      format: "JSONEachRow",
      url,
      authentication: "IAM_USER",
      accessKey: { accessKeyId: "the-id-of-the-key", secretKey: sourcePassword },
      ...objectStorage
    }
  },
  destination: rowsTable(database),
  settings: { object_storage_polling_interval_ms: 100 }
})

/** A pipe from the table `t` of a Postgres of 127.0.0.1 to the table `copied` of a database. */
export const postgresRequest = (
  { name, port }: { readonly name: string; readonly port: number },
  database: string,
  postgres: object = {}
) => ({
  name: "copied",
  source: {
    postgres: {
      type: "postgres",
      host: "127.0.0.1",
      port,
      database: name,
      disableTls: true,
      credentials: { username: "headgate", password: sourcePassword },
      settings: { replicationMode: "cdc" },
      tableMappings: [{ sourceSchemaName: "public", sourceTable: "t", targetTable: "copied" }],
      ...postgres
    }
  },
  destination: { database }
})
