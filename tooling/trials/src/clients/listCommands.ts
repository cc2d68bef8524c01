/** Runs the tool with these arguments, and answers what it prints. */
export type RunTool = (args: ReadonlyArray<string>) => Promise<string>

const subcommands = (help: string): ReadonlyArray<string> =>
  Array.from(
    (/^Commands:\n((?:  .*\n)+)/m.exec(help)?.[1] ?? "").matchAll(/^  ([a-z][\w-]*)/gm),
    (found) => found[1] ?? ""
  ).filter((name) => name !== "help")

/**
 * The commands below `path` that the help of the tool lists, as `clickpipe create kafka`. A group that `isLeftOut` is one
 * entry of its own, without its commands.
 */
export const listCommands = async (
  run: RunTool,
  isLeftOut: (command: string) => boolean,
  path: ReadonlyArray<string> = []
): Promise<ReadonlyArray<string>> => {
  const command = path.join(" ")
  if (isLeftOut(command)) return [command]
  const below = subcommands(await run(["cloud", ...path, "--help"]))
  if (below.length === 0) return [command]
  const lists = []
  for (const name of below) lists.push(await listCommands(run, isLeftOut, [...path, name]))
  return lists.flat()
}

/** The commands that no completed command line is of. */
export const withoutRun = (commands: ReadonlyArray<string>, completed: ReadonlyArray<string>): ReadonlyArray<string> =>
  commands.filter((command) => !completed.some((line) => line === command || line.startsWith(`${command} `)))
