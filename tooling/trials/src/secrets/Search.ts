import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Mark, needlesOf } from "./Marks.ts"

/** Something that was printed, sent, logged or written. */
interface Output {
  readonly name: string
  readonly bytes: Buffer
  /** The secrets that the documentation says are here. */
  readonly shows: ReadonlyArray<Mark>
}

/** What a search came to. */
export interface Findings {
  readonly outputs: number
  readonly bytes: number
  /** Secrets where they must not be. */
  readonly misplaced: ReadonlyArray<string>
  /** Secrets where they are documented to be. */
  readonly documented: number
  /** Secrets that are not where they are documented to be: a search that does not see them sees nothing. */
  readonly missing: ReadonlyArray<string>
}

/** Keeps all that came out of anything, to look through it at the end, when every secret is known. */
export class Search {
  private readonly outputs: Array<Output> = []

  /** `shows`: the secrets that are documented to be in it; they must be. */
  add(name: string, output: string | Buffer, shows: ReadonlyArray<Mark> = []): void {
    this.outputs.push({ name, bytes: Buffer.from(output), shows })
  }

  /** Every file of a directory, as bytes. `shows`: what the file of this name is documented to hold. */
  addDirectory(name: string, directory: string, shows: Readonly<Record<string, ReadonlyArray<Mark>>> = {}): void {
    const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    if (files.length === 0) throw new Error(`there is nothing in ${directory}`)
    for (const file of files) {
      this.add(`${name}: ${file.name}`, readFileSync(join(file.parentPath, file.name)), shows[file.name])
    }
  }

  find(marks: ReadonlyArray<Mark>): Findings {
    const searched = marks.map((mark) => ({ mark, needles: needlesOf(mark) }))
    const misplaced: Array<string> = []
    const missing: Array<string> = []
    let documented = 0
    for (const { bytes, name, shows } of this.outputs) {
      for (const { mark, needles } of searched) {
        const found = needles.find((needle) => bytes.includes(needle.bytes))
        if (shows.includes(mark)) {
          if (found === undefined) missing.push(`${mark.kind} in ${name}`)
          else documented++
        } else if (found !== undefined) {
          const at = bytes.indexOf(found.bytes)
          const around = bytes.toString("latin1", Math.max(0, at - 80), at + found.bytes.length)
          misplaced.push(`${mark.kind} (${found.spelling}) in ${name}: ${JSON.stringify(around)}`)
        }
      }
    }
    return {
      outputs: this.outputs.length,
      bytes: this.outputs.reduce((sum, { bytes }) => sum + bytes.length, 0),
      misplaced,
      documented,
      missing
    }
  }
}
