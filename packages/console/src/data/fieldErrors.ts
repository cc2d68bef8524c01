/** What is wrong with a request, by the path of each field; the empty path is the request as a whole. */
export type FieldErrors = Readonly<Record<string, string>>

/** The fields that the message of a 400 names: `BAD_REQUEST: name: Expected a name; settings.port: Expected ...`. */
export const fieldErrorsOf = (message: string): FieldErrors => {
  // A map: a caller may call a field `constructor`.
  const errors = new Map<string, string>()
  const add = (path: string, text: string) => {
    const before = errors.get(path)
    errors.set(path, before === undefined ? text : `${before}; ${text}`)
  }
  let path = ""
  for (const part of message.replace(/^[A-Z_]+: /, "").split("; ")) {
    const match = /^([\w$.[\]-]+): (.+)$/s.exec(part)
    if (match === null) {
      // A semicolon of the message before.
      add(path, part)
      continue
    }
    path = match[1] ?? ""
    add(path, match[2] ?? "")
  }
  return Object.fromEntries(errors)
}
