// What the contract says of each field, written by hand, and the types of the packages assigned to it. `tsc -b` checks this
// file, and `npm run trial:packages` checks it with each supported TypeScript. A field without a row does not compile.
import type {
  ApiKey,
  ApiKeyCreate,
  CreatedApiKey,
  Dashboard,
  DashboardCreate,
  Pipe,
  PipeAddress,
  Secret
} from "@headgate/client"
import type * as Core from "@headgate/core"
import type { Utc } from "effect/DateTime"
import type { Redacted } from "effect/Redacted"

type Nullish<A> = A | null | undefined

type PipeRows<Time, Hidden> = {
  readonly id: string
  readonly serviceId: string
  readonly name: string
  readonly state: string
  readonly createdAt?: Nullish<Time>
  readonly updatedAt?: Nullish<Time>
  readonly destination?: Nullish<{
    readonly database?: Nullish<string>
    readonly table?: Nullish<string>
    readonly managedTable?: Nullish<boolean>
    readonly columns?: Nullish<ReadonlyArray<{ readonly name?: Nullish<string>; readonly type?: Nullish<string> }>>
    readonly roles?: Nullish<ReadonlyArray<string>>
    readonly tableDefinition?: Nullish<{
      readonly engine?: Nullish<{
        readonly type?: Nullish<string>
        readonly columnIds?: Nullish<ReadonlyArray<string>>
        readonly versionColumnId?: Nullish<string>
      }>
      readonly partitionBy?: Nullish<string>
      readonly primaryKey?: Nullish<string>
      readonly sortingKey?: Nullish<ReadonlyArray<string>>
      readonly ttl?: Nullish<string>
    }>
  }>
  readonly fieldMappings?: Nullish<
    ReadonlyArray<{ readonly sourceField?: Nullish<string>; readonly destinationField?: Nullish<string> }>
  >
  readonly scaling?: Nullish<{
    readonly concurrency?: Nullish<number>
    readonly replicas?: Nullish<number>
    readonly replicaCpuMillicores?: Nullish<number>
    readonly replicaMemoryGb?: Nullish<number>
  }>
  readonly settings?: Nullish<{
    readonly db_max_download_threads?: Nullish<number>
    readonly db_max_insert_threads?: Nullish<number>
    readonly db_max_threads?: Nullish<number>
    readonly db_min_insert_block_size_bytes?: Nullish<number>
    readonly db_parallel_distributed_insert_select?: Nullish<number>
    readonly db_parallel_view_processing?: Nullish<boolean>
    readonly kafka_read_committed?: Nullish<boolean>
    readonly object_storage_concurrency?: Nullish<number>
    readonly object_storage_max_file_count?: Nullish<number>
    readonly object_storage_max_insert_bytes?: Nullish<number>
    readonly object_storage_polling_interval_ms?: Nullish<number>
    readonly object_storage_use_cluster_function?: Nullish<boolean>
    readonly streaming_max_insert_wait_ms?: Nullish<number>
  }>
  readonly source?: Nullish<{
    readonly kafka?: Nullish<{
      readonly type?: Nullish<string>
      readonly format?: Nullish<string>
      readonly brokers?: Nullish<string>
      readonly topics?: Nullish<string>
      readonly consumerGroup?: Nullish<string>
      readonly authentication?: Nullish<string>
      readonly iamRole?: Nullish<string>
      readonly offset?: Nullish<{ readonly strategy?: Nullish<string>; readonly timestamp?: Nullish<string> }>
      readonly schemaRegistry?: Nullish<{
        readonly type?: Nullish<string>
        readonly glueRegion?: Nullish<string>
        readonly glueRegistryName?: Nullish<string>
        readonly glueRoleArn?: Nullish<string>
        readonly url?: Nullish<string>
        readonly authentication?: Nullish<string>
        readonly caCertificate?: Nullish<string>
      }>
      readonly caCertificate?: Nullish<string>
      readonly reversePrivateEndpointIds?: Nullish<ReadonlyArray<string>>
      readonly exactlyOnce?: Nullish<boolean>
      readonly tombstoneMode?: Nullish<string>
    }>
    readonly kinesis?: Nullish<{
      readonly format?: Nullish<string>
      readonly streamName?: Nullish<string>
      readonly region?: Nullish<string>
      readonly useEnhancedFanOut?: Nullish<boolean>
      readonly iteratorType?: Nullish<string>
      readonly timestamp?: Nullish<number>
      readonly authentication?: Nullish<string>
      readonly iamRole?: Nullish<string>
      readonly schemaRegistry?: Nullish<{
        readonly type?: Nullish<string>
        readonly glueRegion?: Nullish<string>
        readonly glueRegistryName?: Nullish<string>
        readonly glueRoleArn?: Nullish<string>
      }>
    }>
    readonly objectStorage?: Nullish<{
      readonly type?: Nullish<string>
      readonly format?: Nullish<string>
      readonly url?: Nullish<string>
      readonly delimiter?: Nullish<string>
      readonly compression?: Nullish<string>
      readonly isContinuous?: Nullish<boolean>
      readonly queueUrl?: Nullish<string>
      readonly skipInitialLoad?: Nullish<boolean>
      readonly startAfter?: Nullish<string>
      readonly authentication?: Nullish<string>
      readonly iamRole?: Nullish<string>
      readonly connectionString?: Nullish<Hidden>
      readonly path?: Nullish<string>
      readonly azureContainerName?: Nullish<string>
    }>
    readonly postgres?: Nullish<{
      readonly type?: Nullish<string>
      readonly host?: Nullish<string>
      readonly port?: Nullish<number>
      readonly database?: Nullish<string>
      readonly authentication?: Nullish<string>
      readonly iamRole?: Nullish<string>
      readonly tlsHost?: Nullish<string>
      readonly caCertificate?: Nullish<string>
      readonly disableTls?: Nullish<boolean>
      readonly skipCertVerification?: Nullish<boolean>
      readonly settings?: Nullish<{
        readonly syncIntervalSeconds?: Nullish<number>
        readonly pullBatchSize?: Nullish<number>
        readonly publicationName?: Nullish<string>
        readonly replicationMode?: Nullish<string>
        readonly replicationSlotName?: Nullish<string>
        readonly allowNullableColumns?: Nullish<boolean>
        readonly initialLoadParallelism?: Nullish<number>
        readonly snapshotNumRowsPerPartition?: Nullish<number>
        readonly snapshotNumberOfParallelTables?: Nullish<number>
        readonly enableFailoverSlots?: Nullish<boolean>
        readonly deleteOnMerge?: Nullish<boolean>
      }>
      readonly tableMappings?: Nullish<
        ReadonlyArray<{
          readonly sourceSchemaName?: Nullish<string>
          readonly sourceTable?: Nullish<string>
          readonly targetTable?: Nullish<string>
          readonly excludedColumns?: Nullish<ReadonlyArray<string>>
          readonly useCustomSortingKey?: Nullish<boolean>
          readonly sortingKeys?: Nullish<ReadonlyArray<string>>
          readonly tableEngine?: Nullish<string>
          readonly partitionKey?: Nullish<string>
          readonly partitionByExpr?: Nullish<string>
        }>
      >
    }>
    readonly mysql?: Nullish<{
      readonly type?: Nullish<string>
      readonly host?: Nullish<string>
      readonly port?: Nullish<number>
      readonly authentication?: Nullish<string>
      readonly iamRole?: Nullish<string>
      readonly tlsHost?: Nullish<string>
      readonly caCertificate?: Nullish<string>
      readonly disableTls?: Nullish<boolean>
      readonly skipCertVerification?: Nullish<boolean>
      readonly serverId?: Nullish<number>
      readonly settings?: Nullish<{
        readonly syncIntervalSeconds?: Nullish<number>
        readonly pullBatchSize?: Nullish<number>
        readonly replicationMode?: Nullish<string>
        readonly replicationMechanism?: Nullish<string>
        readonly useCompression?: Nullish<boolean>
        readonly allowNullableColumns?: Nullish<boolean>
        readonly initialLoadParallelism?: Nullish<number>
        readonly snapshotNumRowsPerPartition?: Nullish<number>
        readonly snapshotNumberOfParallelTables?: Nullish<number>
        readonly deleteOnMerge?: Nullish<boolean>
      }>
      readonly tableMappings?: Nullish<
        ReadonlyArray<{
          readonly sourceSchemaName?: Nullish<string>
          readonly sourceTable?: Nullish<string>
          readonly targetTable?: Nullish<string>
          readonly excludedColumns?: Nullish<ReadonlyArray<string>>
          readonly useCustomSortingKey?: Nullish<boolean>
          readonly sortingKeys?: Nullish<ReadonlyArray<string>>
          readonly tableEngine?: Nullish<string>
          readonly partitionKey?: Nullish<string>
          readonly partitionByExpr?: Nullish<string>
        }>
      >
      readonly database?: Nullish<string>
    }>
    readonly mongodb?: Nullish<{
      readonly uri?: Nullish<string>
      readonly readPreference?: Nullish<string>
      readonly tlsHost?: Nullish<string>
      readonly disableTls?: Nullish<boolean>
      readonly skipCertVerification?: Nullish<boolean>
      readonly caCertificate?: Nullish<string>
      readonly settings?: Nullish<{
        readonly syncIntervalSeconds?: Nullish<number>
        readonly pullBatchSize?: Nullish<number>
        readonly replicationMode?: Nullish<string>
        readonly initialLoadParallelism?: Nullish<number>
        readonly snapshotNumRowsPerPartition?: Nullish<number>
        readonly snapshotNumberOfParallelTables?: Nullish<number>
        readonly deleteOnMerge?: Nullish<boolean>
        readonly useJsonNativeFormat?: Nullish<boolean>
      }>
      readonly tableMappings?: Nullish<
        ReadonlyArray<{
          readonly sourceDatabaseName?: Nullish<string>
          readonly sourceCollection?: Nullish<string>
          readonly targetTable?: Nullish<string>
          readonly tableEngine?: Nullish<string>
          readonly structuredIngestion?: Nullish<{
            readonly enabled?: Nullish<boolean>
            readonly dropUnexpectedValues?: Nullish<boolean>
            readonly columns?: Nullish<
              ReadonlyArray<{ readonly name?: Nullish<string>; readonly type?: Nullish<string> }>
            >
            readonly excludedColumns?: Nullish<ReadonlyArray<string>>
            readonly sortingKeys?: Nullish<ReadonlyArray<string>>
            readonly partitionByExpr?: Nullish<string>
          }>
        }>
      >
    }>
    readonly bigquery?: Nullish<{
      readonly snapshotStagingPath?: Nullish<string>
      readonly authentication?: Nullish<string>
      readonly projectId?: Nullish<string>
      readonly settings?: Nullish<{
        readonly replicationMode?: Nullish<string>
        readonly replicationMethod?: Nullish<string>
        readonly syncIntervalSeconds?: Nullish<number>
        readonly queryCdcPullSyncParallelism?: Nullish<number>
        readonly syncDelaySeconds?: Nullish<number>
        readonly pullWindowSizeSeconds?: Nullish<number>
        readonly syncCron?: Nullish<string>
        readonly allowNullableColumns?: Nullish<boolean>
        readonly initialLoadParallelism?: Nullish<number>
        readonly snapshotNumRowsPerPartition?: Nullish<number>
        readonly snapshotNumberOfParallelTables?: Nullish<number>
      }>
      readonly tableMappings?: Nullish<
        ReadonlyArray<{
          readonly sourceDatasetName?: Nullish<string>
          readonly sourceTable?: Nullish<string>
          readonly targetTable?: Nullish<string>
          readonly excludedColumns?: Nullish<ReadonlyArray<string>>
          readonly useCustomSortingKey?: Nullish<boolean>
          readonly sortingKeys?: Nullish<ReadonlyArray<string>>
          readonly tableEngine?: Nullish<string>
          readonly queryCdcWatermarkColumn?: Nullish<string>
          readonly eventsFunction?: Nullish<string>
        }>
      >
    }>
    readonly pubsub?: Nullish<{
      readonly format?: Nullish<string>
      readonly projectId?: Nullish<string>
      readonly topic?: Nullish<string>
      readonly authentication?: Nullish<string>
      readonly seekType?: Nullish<string>
      readonly seekTimestamp?: Nullish<string>
      readonly filter?: Nullish<string>
      readonly enableOrdering?: Nullish<boolean>
      readonly ackDeadline?: Nullish<number>
    }>
    readonly validateSamples?: Nullish<boolean>
  }>
}

type PipeAddressRows = {
  readonly organizationId: string
  readonly serviceId: string
  readonly pipeId: string
}

type AccessListRows = ReadonlyArray<{ readonly source: string; readonly description?: string | null }>
type RoleRows = ReadonlyArray<"admin" | "developer" | "query_endpoints">

type ApiKeyRows<Time> = {
  readonly id: string
  readonly name: string
  readonly state?: Nullish<"enabled" | "disabled">
  readonly roles?: Nullish<RoleRows>
  readonly assignedRoles?: Nullish<
    ReadonlyArray<{
      readonly roleId?: Nullish<string>
      readonly roleName?: Nullish<string>
      readonly roleType?: Nullish<string>
    }>
  >
  readonly keySuffix?: Nullish<string>
  readonly createdAt?: Nullish<Time>
  readonly expireAt?: Nullish<Time>
  readonly usedAt?: Nullish<Time>
  readonly ipAccessList?: Nullish<AccessListRows>
}

type CreatedApiKeyRows<Time, Hidden> = {
  readonly key: ApiKeyRows<Time>
  readonly keyId?: string
  readonly keySecret?: Hidden
}

type ApiKeyCreateRows<Time, Id> = {
  readonly name: string
  readonly expireAt?: Time | null
  readonly state?: "enabled" | "disabled"
  readonly hashData?: {
    readonly keyIdHash: string
    readonly keyIdSuffix: string
    readonly keySecretHash: string
  } | null
  readonly roles?: RoleRows
  readonly assignedRoleIds?: ReadonlyArray<Id>
  readonly ipAccessList?: AccessListRows
}

type ClientApiKeyCreateRows = ApiKeyCreateRows<Date | string, string> & { readonly organizationId: string }

type SeriesRows = {
  readonly type?: string | null
  readonly dataSource?: string | null
  readonly aggFn?: string | null
  readonly where?: string | null
  readonly whereLanguage?: string | null
  readonly groupBy?: ReadonlyArray<string> | null
  readonly sourceId?: string | null
  readonly field?: string | null
  readonly metricName?: string | null
  readonly metricDataType?: string | null
}

/** A request has the known values: those that nobody lists are `unlisted("...")`. */
type SeriesCreateRows = Omit<SeriesRows, "type" | "dataSource" | "aggFn" | "whereLanguage" | "metricDataType"> & {
  readonly type?: "time" | "table" | "number" | "histogram" | "search" | "markdown" | null
  readonly dataSource?: "events" | "metrics" | null
  readonly aggFn?:
    | "avg"
    | "count"
    | "count_distinct"
    | "last_value"
    | "max"
    | "min"
    | "quantile"
    | "sum"
    | "any"
    | "none"
    | "increase"
    | null
  readonly whereLanguage?: Language | null
  readonly metricDataType?: MetricType | null
}

type Language = "sql" | "lucene" | "promql"
type MetricType = "gauge" | "histogram" | "sum" | "summary" | "exponential histogram"

type NumericUnitRows =
  | "bytes_iec"
  | "bytes_si"
  | "bits_iec"
  | "bits_si"
  | "kibibytes"
  | "kilobytes"
  | "mebibytes"
  | "megabytes"
  | "gibibytes"
  | "gigabytes"
  | "tebibytes"
  | "terabytes"
  | "pebibytes"
  | "petabytes"
  | "packets_sec"
  | "bytes_sec_iec"
  | "bytes_sec_si"
  | "bits_sec_iec"
  | "bits_sec_si"
  | "kibibytes_sec"
  | "kibibits_sec"
  | "kilobytes_sec"
  | "kilobits_sec"
  | "mebibytes_sec"
  | "mebibits_sec"
  | "megabytes_sec"
  | "megabits_sec"
  | "gibibytes_sec"
  | "gibibits_sec"
  | "gigabytes_sec"
  | "gigabits_sec"
  | "tebibytes_sec"
  | "tebibits_sec"
  | "terabytes_sec"
  | "terabits_sec"
  | "pebibytes_sec"
  | "pebibits_sec"
  | "petabytes_sec"
  | "petabits_sec"
  | "cps"
  | "ops"
  | "rps"
  | "reads_sec"
  | "wps"
  | "iops"
  | "cpm"
  | "opm"
  | "rpm_reads"
  | "wpm"

type NumberFormatRows = {
  readonly output: "currency" | "percent" | "byte" | "time" | "duration" | "number" | "data_rate" | "throughput"
  readonly numericUnit?: NumericUnitRows
  readonly mantissa?: number
  readonly thousandSeparated?: boolean
  readonly average?: boolean
  readonly decimalBytes?: boolean
  readonly factor?: number
  readonly currencySymbol?: string
  readonly unit?: string
}

type SelectItemRows = {
  readonly valueExpression?: string
  readonly alias?: string
  readonly aggFn:
    | "avg"
    | "count"
    | "count_distinct"
    | "last_value"
    | "max"
    | "min"
    | "quantile"
    | "sum"
    | "any"
    | "none"
    | "increase"
  readonly level?: 0.5 | 0.9 | 0.95 | 0.99
  readonly where?: string
  readonly whereLanguage?: Language
  readonly numberFormat?: NumberFormatRows
  readonly metricType?: MetricType
  readonly metricName?: string
  readonly periodAggFn?: "delta"
}

type FormulaRows = { readonly expression: string; readonly alias?: string; readonly numberFormat?: NumberFormatRows }

type LinkRows = {
  readonly target:
    | { readonly mode: "id"; readonly id: string }
    | { readonly mode: "template"; readonly template: string }
  readonly whereTemplate?: string
  readonly whereLanguage?: Language
  readonly filters?: ReadonlyArray<{
    readonly kind: "expressionTemplate"
    readonly expression: string
    readonly template: string
  }>
}

type OnClickRows =
  | ({ readonly type: "search" } & LinkRows)
  | ({ readonly type: "dashboard" } & LinkRows)
  | { readonly type: "external"; readonly urlTemplate: string }

type ColorRows =
  | "chart-blue"
  | "chart-orange"
  | "chart-red"
  | "chart-cyan"
  | "chart-green"
  | "chart-pink"
  | "chart-purple"
  | "chart-light-blue"
  | "chart-brown"
  | "chart-gray"
  | "chart-success"
  | "chart-warning"
  | "chart-error"

type RuleRows = { readonly color: ColorRows; readonly label?: string }

type ColorRuleRows = RuleRows &
  (
    | { readonly operator: "gt"; readonly value: number }
    | { readonly operator: "gte"; readonly value: number }
    | { readonly operator: "lt"; readonly value: number }
    | { readonly operator: "lte"; readonly value: number }
    | { readonly operator: "between"; readonly value: ReadonlyArray<number> }
    | { readonly operator: "eq"; readonly value: number | string }
    | { readonly operator: "neq"; readonly value: number | string }
  )

type SourceRows = { readonly sourceId: string }
type FormatRows = { readonly numberFormat?: NumberFormatRows }
type ValueRows = SourceRows & FormatRows & { readonly select: ReadonlyArray<SelectItemRows> }
type AxisRows = {
  readonly alignDateRangeToGranularity?: boolean
  readonly fillNulls?: boolean
  readonly seriesLimit?: number
}
type InterpolationRows = { readonly lineInterpolation?: "smooth" | "linear" | "step" }
type ComparisonRows = { readonly compareToPreviousPeriod?: boolean; readonly fitYAxisToData?: boolean }
type FormulasRows = { readonly formulas?: ReadonlyArray<FormulaRows> }
type OperandRows = { readonly showOperandSeries?: boolean }
type RatioRows = { readonly groupBy?: string; readonly asRatio?: boolean }
type WhereRows = { readonly where?: string; readonly whereLanguage?: Language }
type TimeRows = ValueRows & RatioRows & AxisRows & FormulasRows & OperandRows
type CategoryRows = ValueRows & { readonly groupBy?: string; readonly orderBy?: string; readonly limit?: number }
type QueryRows = FormatRows & {
  readonly configType: "sql"
  readonly connectionId: string
  readonly sqlTemplate: string
  readonly sourceId?: string
}

type ConfigRows =
  | ({ readonly displayType: "line" } & TimeRows & ComparisonRows & InterpolationRows)
  | ({ readonly displayType: "stacked_bar" } & TimeRows)
  | ({ readonly displayType: "stacked_line" } & TimeRows & InterpolationRows)
  | ({ readonly displayType: "table" } & ValueRows &
      RatioRows &
      FormulasRows &
      OperandRows & {
        readonly having?: string
        readonly orderBy?: string
        readonly groupByColumnsOnLeft?: boolean
        readonly onClick?: OnClickRows
      })
  | ({ readonly displayType: "number" } & ValueRows &
      FormulasRows & {
        readonly color?: ColorRows
        readonly colorRules?: ReadonlyArray<ColorRuleRows>
        readonly backgroundChart?: { readonly type: "line" | "area"; readonly color?: ColorRows }
      })
  | ({ readonly displayType: "pie" } & CategoryRows)
  | ({ readonly displayType: "bar" } & CategoryRows)
  | ({ readonly displayType: "heatmap"; readonly heatmapMode?: "distribution" } & SourceRows &
      FormatRows &
      WhereRows & {
        readonly select: ReadonlyArray<{
          readonly valueExpression: string
          readonly countExpression?: string
          readonly heatmapScaleType?: "log" | "linear"
        }>
      })
  | ({ readonly displayType: "heatmap"; readonly heatmapMode: "series"; readonly groupBy?: string } & ValueRows)
  | { readonly displayType: "markdown"; readonly markdown?: string }
  | ({ readonly displayType: "search"; readonly select: string } & SourceRows & WhereRows)
  | ({ readonly displayType: "event_patterns"; readonly select?: string } & SourceRows & WhereRows)
  | ({ readonly displayType: "line" } & QueryRows & AxisRows & ComparisonRows & InterpolationRows)
  | ({ readonly displayType: "stacked_bar" } & QueryRows & AxisRows)
  | ({ readonly displayType: "stacked_line" } & QueryRows & AxisRows & InterpolationRows)
  | ({ readonly displayType: "table"; readonly onClick?: OnClickRows } & QueryRows)
  | ({
      readonly displayType: "number"
      readonly color?: ColorRows
      readonly colorRules?: ReadonlyArray<ColorRuleRows>
    } & QueryRows)
  | ({ readonly displayType: "pie" } & QueryRows)
  | ({ readonly displayType: "bar" } & QueryRows)

type ConfigTileRows = {
  readonly config?: ConfigRows | null
  readonly containerId?: string | null
  readonly tabId?: string | null
}

type AnyFilterRows = {
  readonly id?: string
  readonly name: string
  readonly minSelections?: 0 | 1
  readonly isGlobalRequirement?: boolean
  readonly maxSelections?: 1
}

type FilterRows = AnyFilterRows &
  (
    | {
        readonly type: "QUERY_EXPRESSION"
        readonly expression: string
        readonly sourceId: string
        readonly sourceMetricType?: MetricType
        readonly where?: string
        readonly whereLanguage?: "sql" | "lucene"
        readonly appliesToSourceIds?: ReadonlyArray<string>
        readonly isBroadcastEnabled?: boolean
        readonly isVariableEnabled?: boolean
        readonly variableName?: string
      }
    | {
        readonly type: "STATIC_LIST"
        readonly options: ReadonlyArray<string>
        readonly isBroadcastEnabled?: false
        readonly isVariableEnabled?: true
        readonly variableName?: string
      }
    | {
        readonly type: "PROMETHEUS_LABEL"
        readonly sourceId: string
        readonly label: string
        readonly match?: string
        readonly isBroadcastEnabled?: false
        readonly isVariableEnabled?: true
        readonly variableName?: string
      }
    | {
        readonly type: "SOURCE_FILTER"
        readonly sourceId: string
        readonly expression: string
        readonly appliesToSourceIds?: ReadonlyArray<string>
        readonly isBroadcastEnabled?: true
        readonly isVariableEnabled?: true
        readonly variableName: string
      }
  )

type SavedFilterValueRows =
  | { readonly type?: "sql"; readonly condition: string }
  | {
      readonly type: "variable"
      readonly name: string
      readonly values: ReadonlyArray<string>
      readonly all?: true
    }

type ConfigDashboardRows = {
  readonly savedQuery?: string | null
  readonly savedQueryLanguage?: string | null
  readonly savedFilterValues?: ReadonlyArray<SavedFilterValueRows> | null
  readonly containers?: ReadonlyArray<{
    readonly id: string
    readonly title: string
    readonly collapsed: boolean
    readonly collapsible?: boolean
    readonly bordered?: boolean
    readonly tabs?: ReadonlyArray<{ readonly id: string; readonly title: string }>
  }> | null
  readonly filters?: ReadonlyArray<FilterRows> | null
}

type DashboardRows = ConfigDashboardRows & {
  readonly id: string
  readonly name: string
  readonly tiles?: ReadonlyArray<
    ConfigTileRows & {
      readonly id: string
      readonly name?: string | null
      readonly x?: number | null
      readonly y?: number | null
      readonly w?: number | null
      readonly h?: number | null
      readonly asRatio?: boolean | null
      readonly series?: ReadonlyArray<SeriesRows> | null
    }
  > | null
  readonly tags?: ReadonlyArray<string> | null
}

type DashboardCreateRows = Omit<ConfigDashboardRows, "savedQueryLanguage"> & {
  readonly savedQueryLanguage?: Language | null
  readonly name: string
  readonly tiles?: ReadonlyArray<
    ConfigTileRows & {
      readonly name?: string | null
      readonly x: number
      readonly y: number
      readonly w: number
      readonly h: number
      readonly asRatio?: boolean | null
      readonly series?: ReadonlyArray<SeriesCreateRows> | null
    }
  > | null
  readonly tags?: ReadonlyArray<string> | null
}

/** What a field's path ends at. */
type Leaf = string | number | boolean | null | undefined | Utc | Redacted | Date

type NamedPaths<A> = {
  readonly [K in keyof A as string extends K ? never : K extends string ? K : never]-?:
    | K
    | `${K & string}.${Paths<A[K]>}`
}

/** The paths of all fields that a type names, at every depth: `tiles`, `tiles.id`. */
type Paths<A> = A extends Leaf
  ? never
  : A extends ReadonlyArray<infer Item>
    ? Paths<Item>
    : NamedPaths<A>[keyof NamedPaths<A>]

/** Does not compile if a field has no row: the error names its path. */
type Total<A, _WithoutRow extends never> = A
type WithoutRow<A, Rows> = Exclude<Paths<A>, Paths<Rows>>

/** The types of a schema, each of whose fields must have a row. */
export type Totals = [
  Total<Pipe, WithoutRow<Pipe, PipeRows<string, Secret>>>,
  Total<Core.Pipe, WithoutRow<Core.Pipe, PipeRows<Utc, Redacted>>>,
  Total<PipeAddress, WithoutRow<PipeAddress, PipeAddressRows>>,
  Total<Core.PipeAddress, WithoutRow<Core.PipeAddress, PipeAddressRows>>,
  Total<ApiKey, WithoutRow<ApiKey, ApiKeyRows<string>>>,
  Total<Core.ApiKey, WithoutRow<Core.ApiKey, ApiKeyRows<Utc>>>,
  Total<CreatedApiKey, WithoutRow<CreatedApiKey, CreatedApiKeyRows<string, Secret>>>,
  Total<Core.CreatedApiKey, WithoutRow<Core.CreatedApiKey, CreatedApiKeyRows<Utc, Redacted>>>,
  Total<ApiKeyCreate, WithoutRow<ApiKeyCreate, ClientApiKeyCreateRows>>,
  Total<Core.ApiKeyCreate, WithoutRow<Core.ApiKeyCreate, ApiKeyCreateRows<Utc, Core.RoleId>>>,
  Total<Dashboard, WithoutRow<Dashboard, DashboardRows>>,
  Total<Core.Dashboard, WithoutRow<Core.Dashboard, DashboardRows>>,
  Total<DashboardCreate, WithoutRow<DashboardCreate, DashboardCreateRows>>,
  Total<Core.DashboardCreate, WithoutRow<Core.DashboardCreate, DashboardCreateRows>>
]

/** An answer of the service is what the contract says. */
export const answers = {
  pipe: (value: Pipe): PipeRows<string, Secret> => value,
  corePipe: (value: Core.Pipe): PipeRows<Utc, Redacted> => value,
  corePipeAddress: (value: Core.PipeAddress): PipeAddressRows => value,
  apiKey: (value: ApiKey): ApiKeyRows<string> => value,
  coreApiKey: (value: Core.ApiKey): ApiKeyRows<Utc> => value,
  createdApiKey: (value: CreatedApiKey): CreatedApiKeyRows<string, Secret> => value,
  coreCreatedApiKey: (value: Core.CreatedApiKey): CreatedApiKeyRows<Utc, Redacted> => value,
  dashboard: (value: Dashboard): DashboardRows => value,
  coreDashboard: (value: Core.Dashboard): DashboardRows => value
}

/** What the contract allows in a request is accepted. */
export const requests = {
  pipeAddress: (value: PipeAddressRows): PipeAddress => value,
  apiKeyCreate: (value: ClientApiKeyCreateRows): ApiKeyCreate => value,
  coreApiKeyCreate: (value: ApiKeyCreateRows<Utc, Core.RoleId>): Core.ApiKeyCreate => value,
  dashboardCreate: (value: DashboardCreateRows): DashboardCreate => value,
  coreDashboardCreate: (value: DashboardCreateRows): Core.DashboardCreate => value
}
