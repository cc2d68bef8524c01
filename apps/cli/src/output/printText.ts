import { styleOf } from "@headgate/command-line/help"

/** Prints text and a line end to stdout, without Effect. Output that cannot be written ends the process with 1. */
export const printText = (text: string): void => {
  process.stdout.once("error", ({ code, message }: NodeJS.ErrnoException) => {
    // `head` has read what it wants.
    if (code === "EPIPE") return
    const { failure } = styleOf(process.stderr)
    process.stderr.write(`${failure("error:")} The output could not be written: ${message}.\n`)
    process.exitCode = 1
  })
  process.stdout.write(`${text}\n`)
}
