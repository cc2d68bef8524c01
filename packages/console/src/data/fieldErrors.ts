/** What is wrong with a request, by the path of each field; the empty path is the request as a whole. */
export type FieldErrors = Readonly<Record<string, string>>

/** The fields that the message of a 400 names: `BAD_REQUEST: name: Expected a name; settings.port: Expected ...`. */
export const fieldErrorsOf = (message: string): FieldErrors => {
  const errors: Record<string, string> = {}
  let path = ""
  for (const part of message.replace(/^[A-Z_]+: /, "").split("; ")) {
    const match = /^([\w$.[\]-]+): (.+)$/s.exec(part)
    if (match === null) {
      // A semicolon of the message before.
      errors[path] = errors[path] === undefined ? part : `${errors[path]}; ${part}`
      continue
    }
    path = match[1] ?? ""
    const text = match[2] ?? ""
    errors[path] = errors[path] === undefined ? text : `${errors[path]}; ${text}`
  }
  return errors
}
