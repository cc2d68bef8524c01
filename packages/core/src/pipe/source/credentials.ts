import type * as Schema from "effect/Schema"
import { looseStruct, nullish, withIdentifier } from "../../schema/LooseStruct.ts"
import { secret, secretText } from "../../schema/fieldSchemas.ts"
import type { FieldRule } from "./FieldRule.ts"
import { text } from "./optionalFields.ts"

/** A secret object in a request. It decodes to `Redacted` as a whole, so that an unknown field in it is secret as well. */
const secretObject = <S extends Schema.Constraint>(schema: S, label: string, description: string) =>
  nullish(secret(schema, label), description)

/** A user name and a password. */
const Login = looseStruct({
  username: text("The name of the user."),
  password: text("The password of the user.")
}).pipe(withIdentifier("Login", "A user name and a password."))

/** The access key of a cloud user. */
const AccessKey = looseStruct({
  accessKeyId: text("The id of the access key."),
  secretKey: text("The secret of the access key.")
}).pipe(withIdentifier("AccessKey", "The access key of a cloud user."))

/** The key of a service account. */
const ServiceAccount = looseStruct({
  serviceAccountFile: text("The JSON key file of the service account, as base64.")
}).pipe(withIdentifier("ServiceAccount", "The key of a service account."))

/** The credentials of every authentication of a broker. */
const BrokerCredentials = looseStruct({
  ...Login.schema.fields,
  ...AccessKey.schema.fields,
  connectionString: text("The connection string of an event hub."),
  certificate: text("The client certificate, in PEM."),
  privateKey: text("The private key of the client certificate, in PEM.")
}).pipe(withIdentifier("BrokerCredentials", "The credentials that the authentication of a broker needs."))

/** The schema of Protobuf messages. It is no secret, but write-only like one. */
export const protobufSchema = nullish(
  secretText("protobufSchema"),
  "The `.proto` source or the serialized FileDescriptorSet of Protobuf messages, as base64. Write-only."
)

/** The rule of {@link protobufSchema}. */
export const protobufSchemaRule: FieldRule = {
  onlyWith: [{ field: "format", is: ["Protobuf"] }],
  notWith: { field: "schemaRegistry" },
  maxLength: 1_048_576
}

const label = "credentials"

/** `credentials` of a login. Write-only. */
export const login = secretObject(Login, label, "The user name and the password. Write-only.")

/** `credentials` of a broker. Write-only. */
export const brokerCredentials = secretObject(
  BrokerCredentials,
  label,
  "The credentials that `authentication` needs. Write-only."
)

/** `credentials` of a service account. Write-only. */
export const serviceAccount = secretObject(ServiceAccount, label, "The key of the service account. Write-only.")

/** `accessKey` of a cloud user. Write-only. */
export const accessKey = secretObject(AccessKey, "accessKey", "The access key of the cloud user. Write-only.")

/** `serviceAccountKey` as an object. Write-only. */
export const serviceAccountKey = secretObject(
  ServiceAccount,
  "serviceAccountKey",
  "The key of the service account. Write-only."
)
