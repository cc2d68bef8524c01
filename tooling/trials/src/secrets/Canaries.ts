import type { Random } from "@headgate/harness/Random"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** A secret that occurs nowhere else: wherever it is found, it came from here. */
export interface Canary {
  /** What it is used as, for the reader of a finding. */
  readonly kind: string
  readonly value: string
}

/** Something that was printed, sent, logged or written. */
interface Output {
  readonly name: string
  readonly bytes: Buffer
  /** The canaries that the documentation says are in it. */
  readonly shows: ReadonlyArray<Canary>
}

/** The result of a search. */
export interface Findings {
  readonly outputs: number
  readonly bytes: number
  readonly canaries: number
  /** Canaries where they must not be. */
  readonly misplaced: ReadonlyArray<string>
  /** How many canaries were found where they are documented to be. */
  readonly documented: number
  /** Canaries that are not where they are documented to be: the search would not find them elsewhere either. */
  readonly missing: ReadonlyArray<string>
}

const alphabet = Array.from("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
const length = 36
// A part of a secret is as bad as the whole: excerpts and lines are cut.
const partLength = 14

/** The base64 digits that do not depend on the bytes before and behind the secret, for one of three alignments. */
const inBase64 = (value: string, offset: number): string => {
  const encoded = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)]).toString("base64")
  return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + value.length) * 8) / 6))
}

/** The encodings of a canary that the search looks for. */
export const encodingsOf = ({ value }: Canary): ReadonlyArray<readonly [encoding: string, bytes: Buffer]> => [
  ["beginning", Buffer.from(value.slice(0, partLength))],
  ["end", Buffer.from(value.slice(-partLength))],
  ...[0, 1, 2].map((offset) => ["base64", Buffer.from(inBase64(value, offset))] as const),
  ["hex", Buffer.from(Buffer.from(value).toString("hex"))],
  ["UTF-16", Buffer.from(value, "utf16le")],
  ["reversed", Buffer.from(Array.from(value).toReversed().join(""))]
]

/** Where a canary was found, and in which encoding. */
interface Found {
  readonly encoding: string
  readonly at: number
  readonly length: number
}

const prefixLength = 4

/**
 * Searches for all canaries at once: at each byte it compares only the encodings that begin with the next four. A search for
 * each of them alone reads everything some thousand times.
 */
const searcher = (canaries: ReadonlyArray<Canary>) => {
  const byPrefix = new Map<number, Array<{ canary: Canary; encoding: string; encoded: Buffer }>>()
  for (const canary of canaries) {
    for (const [encoding, encoded] of encodingsOf(canary)) {
      const prefix = encoded.readUInt32BE(0)
      const others = byPrefix.get(prefix) ?? []
      others.push({ canary, encoding, encoded })
      byPrefix.set(prefix, others)
    }
  }
  return (bytes: Buffer): Map<Canary, Found> => {
    const found = new Map<Canary, Found>()
    let prefix = 0
    for (let end = 0; end < bytes.length; end++) {
      prefix = ((prefix << 8) | (bytes[end] ?? 0)) >>> 0
      const at = end + 1 - prefixLength
      if (at < 0) continue
      for (const { canary, encoded, encoding } of byPrefix.get(prefix) ?? []) {
        const { length } = encoded
        if (!found.has(canary) && encoded.equals(bytes.subarray(at, at + length)))
          found.set(canary, { encoding, at, length })
      }
    }
    return found
  }
}

/** The secrets of a trial and everything that was put out. The search comes last, when every secret is known. */
export class Canaries {
  private readonly all: Array<Canary> = []
  private readonly outputs: Array<Output> = []
  private readonly faults: Array<string> = []
  private readonly random: Random

  constructor(random: Random) {
    this.random = random
  }

  /** A new secret of letters and digits, which no quoting changes. */
  plant(kind: string): Canary {
    return this.know(kind, Array.from({ length }, () => this.random.pick(alphabet)).join(""))
  }

  /** A secret that a program generated. */
  know(kind: string, value: string): Canary {
    if (value.length < 24) throw new Error(`${kind}: a secret of ${value.length} characters is too short to search for`)
    const canary = { kind, value }
    this.all.push(canary)
    return canary
  }

  /** The secret with a value. */
  of(value: string): Canary {
    const found = this.all.find((canary) => canary.value === value)
    if (found === undefined) throw new Error("no secret of this trial has that value")
    return found
  }

  /** Keeps an output. `shows`: the canaries that are documented to be in it; they must be. */
  add(name: string, output: string | Buffer, shows: ReadonlyArray<Canary> = []): void {
    this.outputs.push({ name, bytes: Buffer.from(output), shows })
  }

  /** Keeps every file of a directory. `shows`: the canaries that the files of these names must hold. */
  addDirectory(name: string, directory: string, shows: Readonly<Record<string, ReadonlyArray<Canary>>> = {}): void {
    for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      this.add(`${name}, ${entry.name}`, readFileSync(join(entry.parentPath, entry.name)), shows[entry.name])
    }
  }

  /** Reports a secret that is where it may be, but not as it must be. */
  fault(what: string): void {
    this.faults.push(what)
  }

  find(): Findings {
    const misplaced: Array<string> = [...this.faults]
    const missing: Array<string> = []
    let documented = 0
    const search = searcher(this.all)
    for (const { bytes, name, shows } of this.outputs) {
      const found = search(bytes)
      for (const canary of shows) {
        if (found.delete(canary)) documented++
        else missing.push(`${canary.kind} in ${name}`)
      }
      for (const [canary, { at, encoding, length }] of found) {
        const context = JSON.stringify(bytes.toString("latin1", Math.max(0, at - 80), at + length))
        misplaced.push(`${canary.kind} (${encoding}) in ${name}: ${context}`)
      }
    }
    const bytes = this.outputs.reduce((sum, output) => sum + output.bytes.length, 0)
    return { outputs: this.outputs.length, bytes, canaries: this.all.length, misplaced, documented, missing }
  }
}
