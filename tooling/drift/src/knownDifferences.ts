/** Differences that are meant, with their reason. In a difference, `*` stands for any text. */
export interface KnownDifferences {
  readonly reason: string
  readonly differences: ReadonlyArray<string>
}

const organizations: ReadonlyArray<KnownDifferences> = [
  {
    reason: "The copy of the published document from which the facts come has only the name of this path.",
    differences: ["adds /v1/whoami"]
  },
  {
    reason: "Organizations and services are made by an operator, not by a caller: the server has no infrastructure.",
    differences: [
      "lacks PATCH /v1/organizations/{}",
      "lacks POST /v1/organizations/{}/services",
      "lacks PATCH /v1/organizations/{}/services/{}",
      "lacks DELETE /v1/organizations/{}/services/{}"
    ]
  },
  {
    reason: "The whole list is one page.",
    differences: ["lacks GET /v1/organizations parameter.*", "lacks GET /v1/organizations response.*"]
  },
  {
    reason: "Services have no tags to filter them by.",
    differences: ["lacks GET /v1/organizations/{}/services parameter.filter field", "lacks Service.tags field"]
  },
  {
    reason: "A service is a record without a database: what describes the database and its machines is not answered.",
    differences: [
      "lacks Organization.* field",
      ...[
        "autoscalingMode",
        "availablePrivateEndpointIds",
        "byocId",
        "clickhouseVersion",
        "complianceType",
        "currentScaling",
        "dataWarehouseId",
        "enableCoreDumps",
        "encryption*",
        "hasTransparentDataEncryption",
        "iamRole",
        "idleTimeoutMinutes",
        "isPrimary",
        "isReadonly",
        "maxReplicas",
        "maxTotalMemoryGb",
        "minReplicas",
        "minTotalMemoryGb",
        "privateEndpointIds",
        "profile",
        "releaseChannel",
        "replicaMemoryGb",
        "scalingSchedule",
        "transparentDataEncryptionKeyId"
      ].map((field) => `lacks Service.${field} field`),
      "lacks ServiceEndpoint.username field"
    ]
  },
  {
    reason: "A simulated service never is in these states.",
    differences: ["degraded", "failed", "partially_running", "softdeleted", "softdeleting", "starting"]
      .concat("terminated", "terminating")
      .map((state) => `lacks Service.state enum "${state}"`)
  }
]

const everyResource: ReadonlyArray<KnownDifferences> = [
  {
    reason:
      "Conditional changes, repeatable creations and their validation are an addition of this server; a client need not use them.",
    differences: [
      "adds * parameter.If-Match field",
      "adds * parameter.Idempotency-Key field",
      "adds * parameter.validateOnly field"
    ]
  }
]

const keys: ReadonlyArray<KnownDifferences> = [
  {
    reason: "The server bounds what it stores; the published document has no bounds for keys and roles.",
    differences: [
      ...["ApiKeyPatchRequest", "ApiKeyPostRequest"].flatMap((schema) => [
        `adds ${schema}.assignedRoleIds maxItems 100`,
        `adds ${schema}.ipAccessList maxItems 200`,
        `adds ${schema}.name m* *`,
        `adds ${schema}.roles maxItems 20`
      ]),
      ...["RoleCreateRequest", "RoleUpdateRequest"].flatMap((schema) => [
        `adds ${schema}.actors maxItems 500`,
        `adds ${schema}.actors[] maxLength 1024`,
        `adds ${schema}.name m* *`,
        `adds ${schema}.policies maxItems 100`
      ]),
      "adds RBACPolicyCreateRequest.* maxItems 500",
      "adds RBACPolicyCreateRequest.*[] maxLength 1024",
      "adds RBACPolicyTags.grants maxItems 500",
      "adds RBACPolicyTags.grants[] maxLength 1024"
    ]
  },
  {
    reason: "A key or role with a name of spaces alone cannot be found again.",
    differences: ["ApiKeyPatch", "ApiKeyPost", "RoleCreate", "RoleUpdate"].map(
      (schema) => `adds ${schema}Request.name pattern \\S`
    )
  },
  { reason: "A key without roles could do nothing.", differences: ["adds ApiKeyPostRequest.roles minItems 1"] },
  {
    reason: "The form of what is stored, which the published document tells in words or not at all.",
    differences: [
      "adds ApiKeyHashData.* *",
      "adds ApiKeyP*Request.assignedRoleIds[] pattern *",
      "adds IpAccessListEntry.source pattern *"
    ]
  },
  {
    reason: "An entry without an address would open a key to nobody or everybody.",
    differences: ["adds IpAccessListEntry.source required"]
  }
]

const pipeRequired = [
  "ClickPipeKafkaOffset.strategy",
  "ClickPipeKafkaSchemaRegistryCredentials.password",
  "ClickPipeKafkaSchemaRegistryCredentials.username",
  "ClickPipeMutateMongoDBSource.credentials",
  ...["database", "host", "port", "settings", "tableMappings"].map((name) => `ClickPipeMutatePostgresSource.${name}`),
  ...["brokers", "format", "topics", "type"].map((name) => `ClickPipePostKafkaSource.${name}`),
  ...["authentication", "format", "iteratorType", "region", "streamName"].map(
    (name) => `ClickPipePostKinesisSource.${name}`
  ),
  "ClickPipePostObjectStorageSource.format",
  "ClickPipePostObjectStorageSource.type",
  "ClickPipePostgresPipeSettings.replicationMode"
]

const pipes: ReadonlyArray<KnownDifferences> = [
  {
    reason: "A pipe cannot be made without it; the published document leaves it open.",
    differences: [
      ...pipeRequired.map((field) => `adds ${field} required`),
      "adds ClickPipeFieldMapping.* required in *",
      "adds ClickPipePostgresPipeTableMapping.* required in source.postgres.tableMappings[].*",
      "adds PLAIN.* required in * source.mongodb.credentials.*"
    ]
  },
  {
    reason: "An update takes all that a source is created with, so that a client can send back what it has read.",
    differences: [
      "adds ClickPipePatch*Source.* field",
      "adds ClickPipePatch*PipeSettings.* field",
      "adds ClickPipePatch*PipeRemoveTableMapping.* field",
      "adds ClickPipePatchDestination.* field"
    ]
  },
  {
    reason: "An update need not repeat what stays: the rules hold for the pipe as it is after the change.",
    differences: [
      "lacks ClickPipePatchMongoDBSource.readPreference required",
      "lacks ClickPipePatchMongoDBSource.uri required",
      "lacks ClickPipePatchMySQLSource.host required",
      "lacks ClickPipePatchMySQLSource.port required",
      "lacks ClickPipePatchPubSubSource.authentication required",
      "lacks ClickPipe* required in source.*.tableMappingsToAdd[].*",
      "lacks ClickPipe* uniqueItems true in source.*.tableMappingsToAdd[].*"
    ]
  },
  {
    reason: "A mapping to remove that is no mapping of the pipe is refused, however it is named.",
    differences: ["lacks ClickPipePatch*PipeRemoveTableMapping.* required"]
  },
  {
    reason: "The first rows of a source are an addition of this server.",
    differences: ["adds ClickPipeSchemaDiscoveryResponse.samples field"]
  },
  {
    reason: "Taken and stored: the contract before the published document has it.",
    differences: [
      "adds ClickPipe*Destination.roles field",
      "adds ClickPipe*MySQLSource.database field",
      "adds ClickPipe*Source.validateSamples field"
    ]
  },
  {
    reason: "A number of seconds may be sent as text, too, and is then answered as text.",
    differences: [
      "adds ClickPipePostKinesisSource.timestamp *",
      "adds ClickPipeKinesisSource.timestamp type string",
      "adds ClickPipePostKinesisSource.timestampText field in source.kinesis.timestampText"
    ]
  },
  {
    reason: "An empty text counts as not given: official clients send one for fields that they do not use.",
    differences: [
      "lacks ClickPipeDestinationTableDefinition.ttl minLength 1",
      "lacks ClickPipePostK*Source.protobufSchema minLength 1"
    ]
  },
  {
    reason: "Needed by one authentication alone, and refused when it is missing there.",
    differences: ["lacks ServiceAccount.serviceAccountFile required"]
  },
  {
    reason: "The published document names the values in words.",
    differences: [
      "adds ClickPipeBigQueryPipeSettings.replicationMethod a list of values",
      "adds ClickPipeBigQueryPipeSettings.replicationMode a list of values",
      "adds ClickPipeBigQueryPipeTableMapping.eventsFunction a list of values"
    ]
  },
  {
    reason: "The server has no account in a cloud that a workload could use.",
    differences: ["lacks ClickPipesServiceContext.gcpWorkloadIdentity field"]
  },
  {
    reason: "The request has the same sources as that for a pipe; a database is then refused with a 400.",
    differences: ["bigquery", "mongodb", "mysql", "postgres"].map(
      (kind) => `adds ClickPipeSchemaDiscoverySource.${kind} field`
    )
  },
  {
    reason: "Bounds of the real service that its document has for other databases, or only in words.",
    differences: [
      "adds ClickPipeBigQueryPipeSettings.* integer",
      "adds ClickPipeBigQueryPipeSettings.* minimum *",
      "adds ClickPipeBigQueryPipeTableMapping.* uniqueItems true",
      "adds ClickPipeP*Request.name maxLength 255",
      "adds ClickPipeScaling.concurrency m*imum *"
    ]
  },
  {
    reason: "The multiples that are taken are whole numbers.",
    differences: ["lacks ClickPipesCdcScalingPatchRequest.replicaCpuMillicores integer"]
  }
]

const endpoints: ReadonlyArray<KnownDifferences> = [
  {
    reason: "The server bounds what it stores; the published document has no bounds for these texts and lists.",
    differences: [
      "adds *ReversePrivateEndpoint.customPrivateDnsMappings maxItems 100",
      "adds CreateReversePrivateEndpoint.* maxLength *",
      "adds CustomPrivateDnsMapping.targetId maxLength 2048",
      "adds CreateReversePrivateEndpoint.gcpServiceAttachment pattern *"
    ]
  },
  {
    reason: "A mapping without a name maps nothing.",
    differences: ["adds CustomPrivateDnsMapping.privateDnsName required"]
  }
]

const bounds = ["maxLength", "minLength", "maxItems", "minItems", "minimum", "maximum"]
const dashboards: ReadonlyArray<KnownDifferences> = [
  {
    reason:
      "The management document has no bounds for dashboards. These are those of the observability document, with which they are compared.",
    differences: bounds.map((bound) => `adds ClickStack* ${bound} *`)
  },
  {
    reason: "Bounds of the source code of the real service, which its document lacks.",
    differences: [
      "adds OnClick* maxLength 10000",
      "adds OnClickSearch.filters maxItems 50",
      "adds SavedFilterValue.condition maxLength 10000"
    ]
  },
  {
    reason: "The id of a source or connection, as the real service checks it.",
    differences: ["adds *.sourceId pattern *", "adds *.connectionId pattern *", "adds *OnClickTarget*.id pattern *"]
  },
  {
    reason: "The real service demands it, although one of its documents leaves it open.",
    differences: [
      "adds *NumberFormat.output required",
      "adds ClickStackQueryExpressionFilterInput.variableName pattern *"
    ]
  },
  {
    reason: "Values that the source code of the real service takes, although its documents lack them.",
    differences: [
      'adds *anguage enum "promql"',
      'adds *.aggFn enum "increase"',
      "adds *RawSqlChartConfig*.seriesLimit field*"
    ]
  },
  {
    reason: "The source code of the real service takes more than one formula and a chart without `whereLanguage`.",
    differences: [
      "adds NumberBuilderChartConfig.formulas maxItems 10",
      "lacks NumberBuilderChartConfig.formulas maxItems 1",
      "lacks *SearchChartConfig.whereLanguage required"
    ]
  },
  {
    reason: "The published document names the values in words.",
    differences: [
      "adds *FilterInput.is*Enabled a list of values",
      "adds ClickStackSelectItem.level a list of values",
      "adds ClickStackVariableSavedFilterValue.all a list of values"
    ]
  },
  {
    reason: "In the management document, which is newer than the observability document.",
    differences: [
      "adds *.lineInterpolation field*",
      "adds FilterInput.* field",
      "adds HeatmapChartConfig.* field",
      "adds RawSqlChartConfigBase.colorRules field in tiles[].config(number sql).colorRules",
      "adds HeatmapSelectItem.* field",
      "lacks HeatmapSelectItem.valueExpression required",
      "adds SavedFilterValue.* field",
      'adds SavedFilterValue.type enum "variable"',
      "lacks SavedFilterValue.condition required",
      "adds FilterInput.type enum *",
      "lacks FilterInput.* required",
      "adds TileBase.config(stacked_line*) type object",
      "adds TileBase.description field",
      'adds TimeChartSeries.displayType enum "stacked_line"'
    ]
  },
  {
    reason: "The source code of the real service takes any number for the place of a tile.",
    differences: ["lacks ClickStackTileInput.* integer", "lacks TileBase.* integer"]
  },
  {
    reason: "The conditions of a permission are answered as they were sent, whatever they are.",
    differences: ["lacks ClickStackClickHouseCASLPermissionConditions.* field"]
  },
  {
    reason: "Validation takes any document, and answers what is wrong with it.",
    differences: [
      "lacks *CreateDashboardRequest.* field in POST */dashboards/validate request *",
      "lacks ClickStackWebhookInput.* field in POST */webhooks/validate request *"
    ]
  }
]

const documents: ReadonlyArray<KnownDifferences> = [
  {
    reason: "Beside what the server names, a field of a source and of a chart is stored and answered as it was sent.",
    differences: [
      "lacks ClickStack*ChartConfig type object in chartConfig(*",
      "lacks ClickStackAlertChartConfigOverlay type object",
      "lacks ClickStack*Source.* field"
    ]
  },
  {
    reason:
      "The chart of an alert is checked as the one of a tile is, and the document names what an alert adds to it.",
    differences: ["adds ClickStack*Alert*.chartConfig*"]
  },
  {
    reason: "A filter of a saved search that was stored before is kept, whatever it is.",
    differences: [
      "lacks ClickStackSavedSearchFilter.condition required",
      "lacks ClickStackSavedSearchFilter.type a list of values"
    ]
  },
  {
    reason: "The bounds of headers are checked without a path, which would repeat a part of a secret.",
    differences: ["lacks ClickStackWebhookInput*.* maxLength 4096"]
  },
  {
    reason: "Nothing reads the table of a source before a chart does.",
    differences: ["lacks ClickStack*Source.from required", "lacks ClickStack*SourceFrom.* required"]
  }
]

/** From this, `npm run drift:write` makes a section of `docs/compatibility.md`. */
export const knownDifferences: ReadonlyArray<KnownDifferences> = [
  ...everyResource,
  ...organizations,
  ...keys,
  ...endpoints,
  ...pipes,
  ...dashboards,
  ...documents
]
