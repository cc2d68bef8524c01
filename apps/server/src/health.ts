// Answers `headgate-server health` without flags. bin/headgate-server.mjs loads this file for it: main.mjs, which can answer
// it too, takes four times as long to load, and a container asks every 30 seconds.
import { askReady, defaultUrl, serverUrlOf } from "./commands/askReady.ts"

/** Answers a command line that is `health` alone. Returns whether it was one, and the URL of the environment can be asked. */
export const answer = async (args: ReadonlyArray<string>): Promise<boolean> => {
  const url = serverUrlOf(process.env["HEADGATE_URL"] ?? defaultUrl)
  if (args.length !== 1 || args[0] !== "health" || url === undefined) return false
  const { isReady, text } = await askReady(url)
  if (isReady) process.stdout.write(`${text}\n`)
  else process.stderr.write(`headgate-server: ${text}\n`)
  process.exitCode = isReady ? 0 : 1
  return true
}
