/** A condition on another field of the same object. */
export interface Condition {
  readonly field: string
  /** The values of which the field must have one. Absent: any value. */
  readonly is?: ReadonlyArray<string | boolean>
  /** Whether the field must not be so: it has none of the values, or is not given. */
  readonly isNot?: true
}

/**
 * What a field of a request must be, beyond its type. A value that is absent, `null` or an empty text is not given, and no
 * rule but `isRequired` applies to it: official clients send empty texts for fields that are not used.
 */
export interface FieldRule {
  /** Whether the field must be given, always or under conditions that must all hold. */
  readonly isRequired?: true | Condition | ReadonlyArray<Condition>
  /** The conditions under which the field may be given; `false` may be given under any. */
  readonly onlyWith?: ReadonlyArray<Condition>
  /** A condition under which the field may not be given; `false` may be given under any. */
  readonly notWith?: Condition
  /** Why the field may not be given at all. */
  readonly refusal?: string
  /** The values that the field may have. */
  readonly values?: ReadonlyArray<string>
  /** The least and the greatest number. */
  readonly range?: readonly [least: number, greatest: number]
  /** The most characters of a text. */
  readonly maxLength?: number
  /** What a text must match, and how an error names it. */
  readonly pattern?: readonly [pattern: RegExp, expected: string]
  /** Whether a list may have each element only once. */
  readonly isUnique?: true
  /** The rules of the fields of an object, or of the elements of a list. */
  readonly fields?: FieldRules
}

/** The rules of the fields of an object. */
export type FieldRules = Readonly<Record<string, FieldRule>>

/**
 * An authentication method: the fields it needs. More than one list: the fields of one of them. Credentials that a list names
 * may be given.
 */
export type AuthenticationNeeds = ReadonlyArray<ReadonlyArray<string>>

/** The rules of one kind of source. */
export interface SourceRules {
  readonly fields: FieldRules
  /** The rules that replace those of `fields` for some values of `type`. */
  readonly fieldsByType?: Readonly<Record<string, FieldRules>>
  /** The path of the field by which `fieldsByType` chooses, if it is not `type`. */
  readonly typeField?: string
  /** The paths of the credentials, such as `schemaRegistry.credentials`: write-only, stored apart, in no answer. */
  readonly credentials: ReadonlyArray<string>
  /** The paths of other write-only fields: stored as the credentials are, and of no authentication. */
  readonly writeOnly?: ReadonlyArray<string>
  /** The paths of the secrets that answers hold. */
  readonly answeredSecrets?: ReadonlyArray<string>
  /** The authentication methods. Absent: the source has no field `authentication`. */
  readonly authentications?: Readonly<Record<string, AuthenticationNeeds>>
  /** The methods of some values of `type`. */
  readonly authenticationsByType?: Readonly<Record<string, ReadonlyArray<string>>>
  /** What every method of a `type` needs, if it differs. */
  readonly needsByType?: Readonly<Record<string, AuthenticationNeeds>>
  /** The method that applies when none is given. */
  readonly defaultAuthentication?: string
  /** The values that a new pipe gets in `settings` where the request has none. They are stored: reading adds nothing. */
  readonly defaultSettings?: Readonly<Record<string, number>>
}

/** Text without user information: credentials belong in the write-only fields. */
export const noUserInformation = [
  /^(?![a-z][a-z0-9+.-]*:\/\/[^/?#]*@)/iu,
  "Expected a URL without user information: use credentials"
] as const

/** A whole number of at least one. */
export const atLeastOne: FieldRule = { range: [1, Number.MAX_SAFE_INTEGER] }
