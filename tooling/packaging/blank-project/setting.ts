import { env } from "node:process"

/** A variable of the environment. */
export const setting = (name: string): string => {
  const value = env[name]
  if (value === undefined) throw new Error(`${name} is not set`)
  return value
}
