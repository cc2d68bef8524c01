/**
 * Makes an error that notes no stack. Its tag and its message say all to the caller of a port, and V8 takes a fifth of the time of a
 * request that fails to note where the error was made.
 */
export const withoutStack = <E>(make: () => E): E => {
  const limit: unknown = Reflect.get(Error, "stackTraceLimit")
  // Not every JavaScript runtime has a limit. Where it is frozen, setting it has no effect.
  if (typeof limit !== "number") return make()
  Reflect.set(Error, "stackTraceLimit", 0)
  try {
    return make()
  } finally {
    Reflect.set(Error, "stackTraceLimit", limit)
  }
}
