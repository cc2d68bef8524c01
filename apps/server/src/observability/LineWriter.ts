import { writeSync } from "node:fs"
import { setTimeout } from "node:timers/promises"

// A write of at most this many bytes to a pipe is atomic (POSIX: PIPE_BUF): lines of processes that share it are not mixed.
const atomicBytes = 4096

// The size of the buffer in bytes. Lines beyond it are dropped: no request waits for a slow reader.
const maxBuffered = 1024 * 1024

/** `process.stdout`, or a fake in tests. */
export interface LineStream {
  readonly write: (text: string, done: () => void) => unknown
  readonly on: (event: "error", listener: () => void) => unknown
  readonly fd?: number
}

/**
 * Writes lines of ASCII to a stream, and joins the lines of one turn of the event loop into one write. Lines are dropped if
 * the reader is too slow, and after an error of the stream.
 */
export class LineWriter {
  /** How many lines were dropped. */
  dropped = 0
  private buffer = ""
  private isWriting = false
  private hasFailed = false
  private readonly stream: LineStream

  constructor(stream: LineStream) {
    this.stream = stream
    stream.on("error", () => {
      this.hasFailed = true
      this.buffer = ""
    })
  }

  /** Buffers a line, which must be ASCII and end with a line feed. */
  write(line: string): void {
    if (this.hasFailed || this.buffer.length + line.length > maxBuffered) {
      this.dropped++
      return
    }
    this.buffer += line
    if (this.isWriting) return
    this.isWriting = true
    setImmediate(() => this.next())
  }

  private next(): void {
    if (this.buffer === "") {
      this.isWriting = false
      return
    }
    const whole = this.buffer.lastIndexOf("\n", atomicBytes - 1) + 1
    // A line longer than an atomic write is written alone.
    const end = whole > 0 ? whole : this.buffer.indexOf("\n") + 1
    const text = this.buffer.slice(0, end)
    this.buffer = this.buffer.slice(end)
    this.stream.write(text, () => this.next())
  }

  /** Waits until the buffer is written, for at most `timeout` milliseconds. */
  async settled(timeout: number): Promise<void> {
    for (let waited = 0; this.isWriting && !this.hasFailed && waited < timeout; waited += 10) await setTimeout(10)
  }

  /** Writes the rest of the buffer while the process exits. */
  flushSync(): void {
    const text = this.buffer
    this.buffer = ""
    if (text === "" || this.stream.fd === undefined) return
    try {
      writeSync(this.stream.fd, text)
    } catch {
      // The reader is closed or too slow, and the process is exiting: the lines are lost.
    }
  }
}
