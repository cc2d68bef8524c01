import { env } from "node:process"

/** What the environment says. */
export const setting = (name: string): string => {
  const value = env[name]
  if (value === undefined) throw new Error(`${name} is not set`)
  return value
}
