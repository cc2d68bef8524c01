import { runAndKeep } from "./run.ts"
import { severalAtOnce } from "./severalAtOnce.ts"
import type { Stage } from "./Stage.ts"

/** Command lines of the server that are wrong beside a secret, or whose secret has gone astray. */
export const badCommandLines = async (stage: Stage): Promise<void> => {
  const { marks, server: script } = stage
  const url = (password: string) => `postgres://user:${password}@127.0.0.1:1/db`
  const lines: Readonly<Record<string, (secret: string) => ReadonlyArray<string>>> = {
    "two stores": (secret) => ["--database-url", url(secret), "--memory"],
    "a flag nobody knows": (secret) => ["--database-url", url(secret), "--bogus"],
    "a flag misspelt": (secret) => ["--databse-url", url(secret)],
    "a flag misspelt, with =": (secret) => [`--databse-url=${url(secret)}`],
    "a flag of the client": (secret) => ["--key-secret", secret],
    "a bad flag beside it": (secret) => ["--database-url", url(secret), "--port", "many"],
    "a flag twice": (secret) => ["--database-url", url(secret), "--database-url", url(secret)],
    "a secret with a command": (secret) => ["token", "create", "--name", "x", "--secret", secret],
    "a bad command behind it": (secret) => ["--database-url", url(secret), "bogus"]
  }
  await severalAtOnce(
    stage,
    Object.entries(lines).map(([name, line]) => {
      const args = [...line(marks.plant(`command line of the server: ${name}`).value), "--log-level", "all"]
      return () => runAndKeep(stage, `headgate-server, ${name}`, script, { args })
    })
  )
}
