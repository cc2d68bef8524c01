import { InvalidRequest } from "@headgate/core/error"

/** An option that a layer cannot be built with. `message` never repeats its value, which may hold a credential. */
export const invalidOption = (path: string, message: string): InvalidRequest =>
  new InvalidRequest({ message: `${path}: ${message}`, issues: [{ path, message }] })
