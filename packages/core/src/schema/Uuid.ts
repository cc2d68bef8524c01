import * as Schema from "effect/Schema"

/**
 * A UUID in its 8-4-4-4-12 hexadecimal form. Version and variant bits are not checked: the contract says "UUID"
 * (sections 2.2 and 2.3) and no reader gains from refusing an id that the service handed out.
 */
export const Uuid = Schema.String.check(
  Schema.isGUID({ expected: "a UUID", message: "Expected a UUID such as 6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f" })
).annotate({ format: "uuid" })
