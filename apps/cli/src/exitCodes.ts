/** What the process ends with. Scripts may rely on these: a new kind of failure gets a new number. */
export const exitCodes = {
  ok: 0,
  error: 1,
  usage: 2,
  auth: 4,
  notFound: 5,
  timedOut: 8,
  interrupted: 130
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
