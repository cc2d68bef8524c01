import * as Schema from "effect/Schema"

/**
 * An option that may be absent or undefined. What is of another type gets a message of our own, `Expected <what>`: a
 * schema's would repeat the value, which may be a secret in the wrong place.
 */
export const option = <A, I>(schema: Schema.Codec<A, I>, what: string) => {
  // Of a union that matches no member its own message is told; of one that tries a member, the member's.
  const annotations = { message: `Expected ${what}` }
  return Schema.optionalKey(Schema.UndefinedOr(schema.annotate(annotations)).annotate(annotations))
}

/** Options by name. One that has none of these names is refused by its own: decode with {@link strictly}. */
export const optionsOf = <Fields extends Schema.Struct.Fields>(fields: Fields, what: string) =>
  Schema.Struct(fields).annotate({
    message: `Expected ${what}`,
    messageUnexpectedKey: `Expected one of ${Object.keys(fields).join(", ")}`
  })

/** Finds everything that is wrong with options, misspelt names among it. */
export const strictly = { errors: "all", onExcessProperty: "error" } as const
