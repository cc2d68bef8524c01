import { dialectNames } from "@headgate/http-contract"
import * as Schema from "effect/Schema"

/** The secrets of a profile. */
export const secretNames = ["keySecret", "token"] as const
export type SecretName = (typeof secretNames)[number]

const Secret = Schema.RedactedFromValue(Schema.String)

/** One connection to a service: its URLs, its credentials, and the organization and service that commands use. */
export const Profile = Schema.Struct({
  url: Schema.optionalKey(Schema.String),
  observabilityUrl: Schema.optionalKey(Schema.String),
  organization: Schema.optionalKey(Schema.String),
  service: Schema.optionalKey(Schema.String),
  dialect: Schema.optionalKey(Schema.Literals(dialectNames)),
  keyId: Schema.optionalKey(Schema.String),
  keySecret: Schema.optionalKey(Secret),
  token: Schema.optionalKey(Secret),
  // The secrets that are in the keychain: the file does not hold them.
  keychain: Schema.optionalKey(Schema.Array(Schema.Literals(secretNames)))
})
export type Profile = typeof Profile.Type

/** The content of a `config.json`. */
export const ProfileDocument = Schema.Struct({
  current: Schema.optionalKey(Schema.String),
  profiles: Schema.Record(Schema.String, Profile)
})
export type ProfileDocument = typeof ProfileDocument.Type

/** A profile with its name and the file that has it. */
export interface StoredProfile {
  readonly name: string
  readonly file: string
  readonly profile: Profile
}
