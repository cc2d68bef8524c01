import { type Dialect, operations } from "@headgate/http-contract"
import { documentRequests } from "./namedDocuments.ts"

/** What is expected of one kind of documents below a service. */
interface Kind {
  /** What a snapshot calls them. */
  readonly collection: string
  /** What an error calls one. */
  readonly noun: string
  readonly isPaged: boolean
  /** Whether a token reaches them, under `/api/v2`. */
  readonly isObserved: boolean
  /** A request for one, without its name, and what one holds beside it. */
  readonly request: object
  readonly stored?: object
}

/** By the last segment of their path. */
const kinds: Readonly<Record<string, Kind>> = {
  dashboards: {
    collection: "dashboards",
    noun: "dashboard",
    isPaged: false,
    isObserved: true,
    request: { tiles: [] },
    stored: { tags: [] }
  },
  sources: {
    collection: "sources",
    noun: "source",
    isPaged: false,
    isObserved: true,
    request: documentRequests.source
  },
  "saved-searches": {
    collection: "savedSearches",
    noun: "saved search",
    isPaged: true,
    isObserved: true,
    request: documentRequests.savedSearch
  },
  webhooks: {
    collection: "webhooks",
    noun: "webhook",
    isPaged: true,
    isObserved: true,
    request: documentRequests.webhook
  },
  alerts: { collection: "alerts", noun: "alert", isPaged: true, isObserved: true, request: documentRequests.alert },
  roles: {
    collection: "dashboardRoles",
    noun: "role of dashboards",
    isPaged: false,
    isObserved: false,
    request: { permissions: [] },
    stored: { isPredefined: false }
  }
}

/** Every kind of documents that the contract has below a service. A kind of which nothing is expected is a mistake. */
export const documentsBelow = (dialect: Dialect) => {
  const below = `/v1/organizations/:organizationId/services/:serviceId/${dialect.stackSegment}/`
  return Object.values(operations(dialect)).flatMap((table) => {
    if (!("create" in table) || !table.create.path.startsWith(below)) return []
    const path = table.create.path.slice(below.length)
    const kind = kinds[path]
    if (kind === undefined) throw new Error(`nothing is expected of ${path} below a service`)
    return [{ ...kind, path }]
  })
}
