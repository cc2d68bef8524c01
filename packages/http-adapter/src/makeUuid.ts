import * as Effect from "effect/Effect"

/** A UUID of version 4. A page that was not loaded over https has no `randomUUID`. */
const uuidOfValues = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte, index) =>
    (index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte).toString(16).padStart(2, "0")
  ).join("")
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
}

/** Makes a random UUID of version 4. */
export const makeUuid: Effect.Effect<string> = Effect.sync(() =>
  typeof crypto.randomUUID === "function" ? crypto.randomUUID() : uuidOfValues()
)
