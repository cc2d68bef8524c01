import { looseStruct, withIdentifier } from "../../schema/LooseStruct.ts"
import { serviceAccountKey } from "./credentials.ts"
import type { SourceRules } from "./FieldRule.ts"
import { flag, integer, known, text } from "./optionalFields.ts"

const formats = ["JSONEachRow", "Avro", "Protobuf"] as const
const authentications = ["SERVICE_ACCOUNT", "SERVICE_ACCOUNT_WORKLOAD_IDENTITY"] as const
const seekTypes = ["latest", "earliest", "timestamp"] as const

const fields = {
  format: known(formats, "The format of the messages."),
  projectId: text("The project that owns the topic."),
  topic: text("The name of the topic, without its project."),
  authentication: known(authentications, "The authentication method of the topic."),
  seekType: known(seekTypes, "Where reading starts."),
  seekTimestamp: text("The time at which reading starts, in RFC 3339."),
  filter: text("The filter of the subscription: at most 256 characters."),
  enableOrdering: flag("Whether messages with the same ordering key are delivered in order."),
  ackDeadline: integer("The time in which a message must be acknowledged, in seconds.")
}

/** A source that is a Pub/Sub topic. */
export const PubSubSource = looseStruct(fields).pipe(
  withIdentifier("PubSubSource", "A source that is a Pub/Sub topic.")
)
export type PubSubSource = typeof PubSubSource.Type

/** A {@link PubSubSource} in a request, with its credentials. */
export const PubSubSourceCreate = looseStruct({ ...fields, serviceAccountKey }).pipe(
  withIdentifier("PubSubSourceCreate", "A new source that is a Pub/Sub topic.")
)
export type PubSubSourceCreate = typeof PubSubSourceCreate.Type

const isTimestamp = { field: "seekType", is: ["timestamp"] }

/** The rules of a {@link PubSubSourceCreate}. */
export const pubsubRules: SourceRules = {
  credentials: ["serviceAccountKey"],
  fields: {
    format: { isRequired: true, values: formats },
    projectId: { isRequired: true },
    topic: { isRequired: true },
    authentication: { isRequired: true },
    seekType: { isRequired: true, values: seekTypes },
    seekTimestamp: {
      isRequired: isTimestamp,
      onlyWith: [isTimestamp],
      pattern: [
        /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/u,
        "Expected an RFC 3339 time such as 2026-01-01T00:00:00Z"
      ]
    },
    filter: { maxLength: 256 },
    ackDeadline: { range: [10, 600] }
  },
  authentications: {
    SERVICE_ACCOUNT: [["serviceAccountKey.serviceAccountFile"]],
    SERVICE_ACCOUNT_WORKLOAD_IDENTITY: [[]]
  }
}
