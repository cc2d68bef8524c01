// The commands of the official command line tool, in an order in which each finds what it needs.

/** One run of the tool. */
export interface Step {
  /** The command, without the global flags. `{name}` is an id that an earlier step kept, `{file}` the path of the file. */
  readonly command: string
  /** Whether the service is idle when the command starts. */
  readonly isIdle?: boolean
  /** The JSON in the file, in which `{name}` is such an id, too. */
  readonly file?: object
  /** Where the output has an id to keep, and its name. */
  readonly keeps?: { readonly name: string; readonly at: ReadonlyArray<string> }
  /** The fields that the output must show. The step is repeated until it does. */
  readonly shows?: Readonly<Record<string, unknown>>
  /** The error that is expected instead of an output. */
  readonly refused?: RegExp
}

const organizationSteps: ReadonlyArray<Step> = [
  { command: "org list" },
  { command: "org get" },
  { command: "org role list", keeps: { name: "system", at: ["0", "id"] } },
  { command: "org role get {system}", shows: { type: "system" } },
  {
    command: "org role create --file {file}",
    file: { name: "auditors", actors: [], policies: [] },
    keeps: { name: "role", at: ["id"] }
  },
  { command: "org role update {role} --file {file}", file: { name: "readers" }, shows: { name: "readers" } },
  { command: "org role delete {role}" },
  { command: "key list" },
  { command: "key create --name ci --role-id {system}", keeps: { name: "key", at: ["key", "id"] } },
  { command: "key get {key}", shows: { name: "ci", state: "enabled" } },
  { command: "key update {key} --new-name build --state disabled", shows: { state: "disabled" } },
  { command: "key update {key} --expires-at 2099-01-01T00:00:00Z", shows: { name: "build" } },
  { command: "key update {key} --clear-expiry --clear-roles", shows: { state: "disabled" } },
  { command: "key delete {key}" },
  { command: "key get {key}", refused: /NOT_FOUND/ }
]

const serviceSteps: ReadonlyArray<Step> = [
  { command: "service list" },
  { command: "service get {service}", shows: { state: "running" } },
  { command: "service stop {service}" },
  { command: "service get {service}", shows: { state: "stopped" } },
  { command: "service start {service}" },
  { command: "service get {service}", shows: { state: "running" } }
]

// No output may show it.
export const markedSecret = "marked-password"

const login = `--username reader --password ${markedSecret}`

const serviceAccount = {
  type: "service_account",
  project_id: "shop-123456",
  private_key: markedSecret,
  client_email: "reader@shop-123456.iam.gserviceaccount.com"
}

const table = "--database default --table events --column id:Int64"

/** How a pipe of each kind is created, and the state that it settles in. */
const kinds = {
  kafka: {
    flags: `--brokers broker:9092 --topics events --format JSONEachRow ${login} ${table}`,
    settles: "Running"
  },
  kinesis: {
    flags: `--stream-name events --region eu-central-1 --format JSONEachRow --iam-role arn:aws:iam::123456789012:role/reader ${table}`,
    settles: "Running"
  },
  "object-storage": {
    flags: `--source-url https://bucket.s3.eu-central-1.amazonaws.com/*.json --format JSONEachRow ${table}`,
    settles: "Completed"
  },
  postgres: {
    flags: `--host db.example.com --pg-database shop --table-mapping public.orders:orders ${login}`,
    settles: "Running"
  },
  mysql: { flags: `--host db.example.com --table-mapping shop.orders:orders ${login}`, settles: "Running" },
  mongodb: {
    flags: `--uri mongodb+srv://cluster.example.com --table-mapping shop.orders:orders ${login}`,
    settles: "Running"
  },
  bigquery: {
    flags: "--staging-path gs://staging/path --table-mapping shop.orders:orders --service-account-file {file}",
    settles: "Completed"
  },
  pubsub: {
    flags: `--topic events --project-id shop-123456 --format JSONEachRow --seek-type earliest --service-account-file {file} ${table}`,
    settles: "Running"
  }
}

const creations = Object.entries(kinds).map(([kind, { flags }]): Step => ({
  command: `clickpipe create ${kind} {service} --name ${kind} ${flags}`,
  file: serviceAccount,
  keeps: { name: kind, at: ["id"] }
}))

const inState = (kind: keyof typeof kinds, state: string): Step => ({
  command: `clickpipe get {service} {${kind}}`,
  shows: { state }
})

const addedTable = {
  source: {
    postgres: {
      tableMappingsToAdd: [
        {
          sourceSchemaName: "public",
          sourceTable: "users",
          targetTable: "users",
          excludedColumns: [],
          useCustomSortingKey: false,
          sortingKeys: [],
          tableEngine: "ReplacingMergeTree",
          partitionKey: "",
          partitionByExpr: ""
        }
      ]
    }
  }
}

const pipeSteps: ReadonlyArray<Step> = [
  { command: "clickpipe list {service}" },
  { command: "clickpipe context get {service}" },
  { command: "clickpipe cdc-scaling get {service}" },
  {
    command: "clickpipe cdc-scaling update {service} --cpu-millicores 4000 --memory-gb 16",
    shows: { replicaCpuMillicores: 4000, replicaMemoryGb: 16 }
  },
  {
    command: `clickpipe schema-discover kafka {service} --brokers broker:9092 --topics events --format JSONEachRow ${login}`
  },
  {
    command:
      "clickpipe schema-discover object-storage {service} --source-url https://bucket.s3.eu-central-1.amazonaws.com/*.json --format JSONEachRow"
  },
  {
    command: `clickpipe schema-discover kinesis {service} ${kinds.kinesis.flags.replace(table, "").trim()}`
  },
  {
    command:
      "clickpipe schema-discover pubsub {service} --topic events --project-id shop-123456 --format JSONEachRow --seek-type earliest --service-account-file {file}",
    file: serviceAccount
  },
  // An idle service refuses, and says so in the words that the official clients look for, until it is woken.
  ...creations.slice(0, 1).map(({ command }): Step => ({
    command,
    isIdle: true,
    refused: /FAILED_DEPENDENCY.*Current state: idle/
  })),
  { command: "service wake {service}" },
  { command: "service get {service}", shows: { state: "running" } },
  ...creations,
  inState("kafka", kinds.kafka.settles),
  inState("kinesis", kinds.kinesis.settles),
  inState("object-storage", kinds["object-storage"].settles),
  inState("postgres", kinds.postgres.settles),
  inState("mysql", kinds.mysql.settles),
  inState("mongodb", kinds.mongodb.settles),
  inState("bigquery", kinds.bigquery.settles),
  inState("pubsub", kinds.pubsub.settles),
  { command: "clickpipe start {service} {kafka}", refused: /ClickPipe is already running/ },
  { command: "clickpipe stop {service} {kafka}" },
  inState("kafka", "Stopped"),
  { command: "clickpipe start {service} {kafka}" },
  inState("kafka", "Running"),
  {
    command: "clickpipe update {service} {postgres} --file {file}",
    file: addedTable,
    refused: /ClickPipe must be paused to edit/
  },
  { command: "clickpipe stop {service} {postgres}" },
  inState("postgres", "Paused"),
  { command: "clickpipe update {service} {postgres} --file {file}", file: addedTable },
  inState("postgres", "Running"),
  { command: "clickpipe resync {service} {postgres}" },
  inState("postgres", "Running"),
  {
    command: "clickpipe update {service} {kafka} --file {file}",
    file: { name: "renamed" },
    shows: { name: "renamed" }
  },
  { command: "clickpipe scale {service} {kafka} --replicas 2" },
  { command: "clickpipe settings get {service} {kafka}" },
  { command: "clickpipe settings update {service} {kafka} --streaming-max-insert-wait-ms 7000" },
  ...Object.keys(kinds).map((kind): Step => ({ command: `clickpipe delete {service} {${kind}}` })),
  { command: "clickpipe get {service} {kafka}", refused: /NOT_FOUND/ }
]

const endpointSteps: ReadonlyArray<Step> = [
  {
    command:
      "clickpipe reverse-private-endpoint create {service} --type VPC_ENDPOINT_SERVICE --description brokers --vpc-endpoint-service-name com.amazonaws.vpce.eu-central-1.vpce-svc-0123456789abcdef0",
    keeps: { name: "endpoint", at: ["id"] }
  },
  { command: "clickpipe reverse-private-endpoint list {service}" },
  { command: "clickpipe reverse-private-endpoint get {service} {endpoint}" },
  {
    command:
      "clickpipe reverse-private-endpoint update {service} {endpoint} --custom-private-dns-mapping broker.example.com"
  },
  { command: "clickpipe reverse-private-endpoint delete {service} {endpoint}" },
  { command: "clickpipe reverse-private-endpoint get {service} {endpoint}", refused: /NOT_FOUND/ }
]

const dashboard = {
  name: "Errors",
  tiles: [{ name: "notes", x: 0, y: 0, w: 12, h: 4, config: { displayType: "markdown", markdown: "# Errors" } }],
  tags: ["production"]
}

const dashboardSteps: ReadonlyArray<Step> = [
  { command: "clickstack dashboard validate {service} --file {file}", file: dashboard, shows: { valid: true } },
  {
    command: "clickstack dashboard create {service} --file {file}",
    file: dashboard,
    keeps: { name: "dashboard", at: ["id"] }
  },
  { command: "clickstack dashboard list {service}" },
  { command: "clickstack dashboard get {service} {dashboard}", shows: { name: "Errors" } },
  {
    command: "clickstack dashboard update {service} {dashboard} --file {file}",
    file: { ...dashboard, name: "All errors" },
    shows: { name: "All errors" }
  },
  { command: "clickstack dashboard delete {service} {dashboard}" },
  { command: "clickstack dashboard get {service} {dashboard}", refused: /NOT_FOUND/ }
]

const source = {
  name: "Logs",
  kind: "log",
  connection: "{connection}",
  from: { databaseName: "default", tableName: "otel_logs" },
  timestampValueExpression: "Timestamp",
  defaultTableSelectExpression: "Timestamp, Body"
}

const savedSearch = {
  name: "Errors",
  sourceId: "{source}",
  select: "Timestamp, Body",
  where: "level:error",
  whereLanguage: "lucene",
  orderBy: "Timestamp DESC",
  tags: ["ops"]
}

const webhook = {
  name: "On call",
  service: "generic",
  url: "https://hooks.example.com/T0",
  headers: { authorization: markedSecret }
}

const alert = {
  name: "Too many errors",
  source: "saved_search",
  savedSearchId: "{saved-search}",
  threshold: 100,
  thresholdType: "above",
  interval: "5m",
  channel: { type: "webhook", webhookId: "{webhook}" }
}

const dashboardRole = {
  name: "Readers",
  description: "Read all dashboards",
  permissions: [{ action: "read", subject: "Dashboard", integration: "mongodb" }]
}

/** The commands that make, read and change a document; webhooks are not read one by one. */
const documentSteps = (noun: string, file: { readonly name: string }): ReadonlyArray<Step> => {
  const command = `clickstack ${noun}`
  return [
    { command: `${command} create {service} --file {file}`, file, keeps: { name: noun, at: ["id"] } },
    { command: `${command} list {service}` },
    ...(noun === "webhook" ? [] : [{ command: `${command} get {service} {${noun}}`, shows: { name: file.name } }]),
    {
      command: `${command} update {service} {${noun}} --file {file}`,
      file: { ...file, name: "renamed" },
      shows: { name: "renamed" }
    }
  ]
}

const deletionSteps = (noun: string): ReadonlyArray<Step> => [
  { command: `clickstack ${noun} delete {service} {${noun}}` },
  ...(noun === "webhook" ? [] : [{ command: `clickstack ${noun} get {service} {${noun}}`, refused: /NOT_FOUND/ }])
]

/** An alert names a saved search and a webhook, and a saved search a source: they are deleted in the opposite order. */
const documents: ReadonlyArray<Step> = [
  ...documentSteps("source", source),
  ...documentSteps("saved-search", savedSearch),
  { command: "clickstack webhook validate {service} --file {file}", file: webhook, shows: { valid: true } },
  ...documentSteps("webhook", webhook),
  ...documentSteps("alert", alert),
  ...documentSteps("role", dashboardRole),
  ...["alert", "webhook", "saved-search", "source", "role"].flatMap(deletionSteps)
]

/** The commands on organizations, roles, keys, services, pipes, private endpoints, dashboards and the documents beside them. */
export const officialCommands: ReadonlyArray<Step> = [
  ...organizationSteps,
  ...serviceSteps,
  ...pipeSteps,
  ...endpointSteps,
  ...dashboardSteps,
  ...documents
]
