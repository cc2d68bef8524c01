import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import { spawn } from "node:child_process"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { UsageError } from "../error/CommandError.ts"
import { fileError } from "../usage/writeFile.ts"
import { nodeFiles } from "../usage/platform.ts"

const prefix = "headgate-console-"

/** How long a code is good. A file of an earlier command is removed after it, since a browser may still be reading a younger one. */
const lifetime = Duration.minutes(5)

const escapeAttribute = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")

/** A page that goes to a URL at once, and leaves itself out of the history. */
const redirectPage = (url: string): string => `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<title>Headgate</title>
<meta http-equiv="refresh" content="0;url=${escapeAttribute(url)}">
<p><a href="${escapeAttribute(url)}">Open the console</a>
`

/** Removes the files of earlier commands. Those of others, which the directory may hold, cannot be removed and stay. */
const removeEarlier = Effect.gen(function* () {
  const now = yield* Clock.currentTimeMillis
  const files = yield* FileSystem.FileSystem
  for (const name of yield* files.readDirectory(tmpdir())) {
    if (!name.startsWith(prefix)) continue
    const directory = join(tmpdir(), name)
    const isOld = Effect.map(files.stat(directory), ({ mtime }) =>
      Option.exists(mtime, (written) => written.getTime() + Duration.toMillis(lifetime) < now)
    )
    yield* Effect.ignore(Effect.when(files.remove(directory, { recursive: true, force: true }), isOld))
  }
})

/** Writes the page into a new directory, both for this user alone. */
const writePage = Effect.fnUntraced(function* (url: string) {
  const files = yield* FileSystem.FileSystem
  const directory = yield* files.makeTempDirectory({ prefix })
  const file = join(directory, "open.html")
  yield* files.writeFileString(file, redirectPage(url), { flag: "wx", mode: 0o600 })
  return { directory, file }
})

/** The program of each system that opens a file as its user's double click does. */
const openers: { readonly [platform: string]: ReadonlyArray<string> } = {
  darwin: ["open"],
  // An empty title: `start` takes the first quoted word for one.
  win32: ["cmd", "/c", "start", ""]
}

/** How long an opener that does not end is waited for: some stay as long as the browser. */
const openerTime = Duration.seconds(3)

const cannotOpen = (opener: string, why: string) =>
  new UsageError({
    message: `No browser was opened: ${opener} ${why}. Run 'headgate console' without --open, and open the address that it prints.`
  })

/** Opens a file with the program of this system. Its only argument is the file: other users see the arguments. */
const openFile = (file: string) => {
  const [opener = "", ...args] = openers[process.platform] ?? ["xdg-open"]
  return Effect.callback<void, UsageError>((resume) => {
    const child = spawn(opener, [...args, file], { stdio: "ignore", detached: true })
    child.once("error", ({ message }) => resume(Effect.fail(cannotOpen(opener, `could not be run (${message})`))))
    child.once("exit", (code) =>
      resume(code === 0 ? Effect.void : Effect.fail(cannotOpen(opener, `ended with exit code ${code}`)))
    )
    child.unref()
  }).pipe(Effect.timeoutOrElse({ duration: openerTime, orElse: () => Effect.void }))
}

/**
 * Opens a URL that holds a secret in the browser. The browser gets a file that leads there, in no list of processes. The file is removed by
 * the next such command, or at once if no browser was opened.
 */
export const openInBrowser = Effect.fnUntraced(
  function* (url: string) {
    const files = yield* FileSystem.FileSystem
    const asFileError = Effect.mapError(fileError(tmpdir()))
    yield* Effect.ignore(removeEarlier)
    const { directory, file } = yield* asFileError(writePage(url))
    yield* Effect.onError(openFile(file), () => Effect.ignore(files.remove(directory, { recursive: true })))
  },
  (effect) => Effect.provide(effect, nodeFiles)
)
