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

/** The secrets of a trial and everything that was put out. The search comes last, when every secret is known. */
export class Canaries {
  private readonly all: Array<Canary> = []
  private readonly outputs: Array<Output> = []
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

  find(): Findings {
    const misplaced: Array<string> = []
    const missing: Array<string> = []
    let documented = 0
    const searched = this.all.map((canary) => ({ canary, encodings: encodingsOf(canary) }))
    for (const { bytes, name, shows } of this.outputs) {
      for (const { canary, encodings } of searched) {
        const found = encodings.find(([, encoded]) => bytes.includes(encoded))
        if (shows.includes(canary)) {
          if (found === undefined) missing.push(`${canary.kind} in ${name}`)
          else documented++
        } else if (found !== undefined) {
          const [encoding, encoded] = found
          const at = bytes.indexOf(encoded)
          const context = JSON.stringify(bytes.toString("latin1", Math.max(0, at - 80), at + encoded.length))
          misplaced.push(`${canary.kind} (${encoding}) in ${name}: ${context}`)
        }
      }
    }
    const bytes = this.outputs.reduce((sum, output) => sum + output.bytes.length, 0)
    return { outputs: this.outputs.length, bytes, canaries: this.all.length, misplaced, documented, missing }
  }
}
