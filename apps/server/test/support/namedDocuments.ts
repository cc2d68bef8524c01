const ids = {
  connection: "65f5e4a3b9e77c0000000101",
  source: "65f5e4a3b9e77c0000000102",
  savedSearch: "65f5e4a3b9e77c0000000103",
  webhook: "65f5e4a3b9e77c0000000104"
} as const

/** Documents that others name, as the organization of a snapshot has them. */
export const namedDocuments = {
  connections: [{ id: ids.connection, name: "named", host: "localhost:8123" }],
  sources: [{ id: ids.source, name: "named", kind: "log", connection: ids.connection }],
  savedSearches: [{ id: ids.savedSearch, name: "named", sourceId: ids.source }],
  webhooks: [{ id: ids.webhook, name: "named", service: "generic", url: "https://hooks.example.com/named" }]
} as const

/** A valid request of each kind of documents, without its name. What it names are {@link namedDocuments}. */
export const documentRequests = {
  source: { kind: "log", connection: ids.connection },
  savedSearch: { sourceId: ids.source },
  webhook: { service: "generic", url: "https://hooks.example.com/T0" },
  alert: {
    savedSearchId: ids.savedSearch,
    threshold: 1,
    thresholdType: "above",
    interval: "5m",
    channel: { type: "webhook", webhookId: ids.webhook }
  }
} as const
