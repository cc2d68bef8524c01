/** The flags whose values may begin with a minus, each with what such a value looks like: no flag of one letter has a value. */
const values = new Map([
  ["--sort", /^-[^-]./],
  ["--from", /^-\d/],
  ["--to", /^-\d/]
])

/** Joins flags such as `--sort` with a value that begins with a minus, which effect/cli would read as flags. */
export const joinValues = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const end = args.indexOf("--")
  const joined = (index: number): boolean =>
    (end === -1 || index < end) && values.get(args[index] ?? "")?.test(args[index + 1] ?? "") === true
  return args.flatMap((word, index) =>
    joined(index) ? [`${word}=${args[index + 1]}`] : joined(index - 1) ? [] : [word]
  )
}
