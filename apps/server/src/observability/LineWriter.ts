import { writeSync } from "node:fs"
import { setTimeout } from "node:timers/promises"

// A write of this many bytes to a pipe is never mixed with another process's (POSIX: PIPE_BUF).
const atomicBytes = 4096

// What may wait for a reader that does not read, in bytes: more is dropped, and no request waits for it.
const mostWaiting = 1024 * 1024

/** Where lines go: `process.stdout`, or a stand-in. */
export interface LineStream {
  readonly write: (text: string, done: () => void) => unknown
  readonly on: (event: "error", listener: () => void) => unknown
  readonly fd?: number
}

/**
 * Writes lines of ASCII to a stream, as many at once as came in one turn of the event loop. A slow reader slows nobody
 * down, it misses lines; one that is gone is not written to again.
 */
export class LineWriter {
  /** How many lines were not written, since the reader was too slow or gone. */
  dropped = 0
  private waiting = ""
  private isWriting = false
  private isGone = false
  private readonly stream: LineStream

  constructor(stream: LineStream) {
    this.stream = stream
    stream.on("error", () => {
      this.isGone = true
      this.waiting = ""
    })
  }

  /** Takes a line, which must be ASCII and end with a line feed. */
  write(line: string): void {
    if (this.isGone || this.waiting.length + line.length > mostWaiting) {
      this.dropped++
      return
    }
    this.waiting += line
    if (this.isWriting) return
    this.isWriting = true
    setImmediate(() => this.next())
  }

  private next(): void {
    if (this.waiting === "") {
      this.isWriting = false
      return
    }
    const whole = this.waiting.lastIndexOf("\n", atomicBytes - 1) + 1
    // A line that is longer than that goes by itself.
    const end = whole > 0 ? whole : this.waiting.indexOf("\n") + 1
    const text = this.waiting.slice(0, end)
    this.waiting = this.waiting.slice(end)
    this.stream.write(text, () => this.next())
  }

  /** Waits until all is written, at most so many milliseconds. */
  async settled(patience: number): Promise<void> {
    for (let waited = 0; this.isWriting && !this.isGone && waited < patience; waited += 10) await setTimeout(10)
  }

  /** Writes what still waits as the process ends, if its reader takes it. */
  flushSync(): void {
    const text = this.waiting
    this.waiting = ""
    if (text === "" || this.stream.fd === undefined) return
    try {
      writeSync(this.stream.fd, text)
    } catch {
      // The reader is gone, or does not read: there is nobody to tell.
    }
  }
}
