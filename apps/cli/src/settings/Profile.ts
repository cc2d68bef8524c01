import { dialectNames } from "@headgate/http-contract"
import * as Schema from "effect/Schema"

/** The name of a profile. It is part of a command line: nothing that looks like a flag. */
export const ProfileName = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9[][\w.:[\]-]{0,254}$/, {
    message: "Expected letters, digits, '.', '-', '_' or ':', beginning with a letter or digit"
  })
)

/** The secrets of a profile. */
export const secretNames = ["keySecret", "token"] as const
export type SecretName = (typeof secretNames)[number]

const Secret = Schema.RedactedFromValue(Schema.String)

/** One connection to a service: its URLs, its credentials, and the organization and service that commands use. */
export const Profile = Schema.Struct({
  url: Schema.optional(Schema.String),
  observabilityUrl: Schema.optional(Schema.String),
  organization: Schema.optional(Schema.String),
  service: Schema.optional(Schema.String),
  dialect: Schema.optional(Schema.Literals(dialectNames)),
  keyId: Schema.optional(Schema.String),
  keySecret: Schema.optional(Secret),
  token: Schema.optional(Secret),
  // The secrets that are in the keychain: the file does not hold them.
  keychain: Schema.optional(Schema.Array(Schema.Literals(secretNames)))
})
export type Profile = typeof Profile.Type

/** The content of a `config.json`. */
export const ProfileDocument = Schema.Struct({
  current: Schema.optional(Schema.String),
  profiles: Schema.Record(Schema.String, Profile)
})
export type ProfileDocument = typeof ProfileDocument.Type

/** A profile with its name and the file that has it. */
export interface StoredProfile {
  readonly name: string
  readonly file: string
  readonly profile: Profile
}
