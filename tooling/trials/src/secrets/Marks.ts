import type { Random } from "../load/Random.ts"

/** A secret that is nowhere else in the world: where it turns up, it came from here. */
export interface Mark {
  /** What it is planted as, for whoever reads a finding. */
  readonly kind: string
  readonly value: string
}

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** Every secret that was planted, or that a server has minted. */
export class Marks {
  readonly all: Array<Mark> = []
  private readonly random: Random

  constructor(random: Random) {
    this.random = random
  }

  /** A new secret, of letters and digits alone, so that no quoting changes it. */
  plant(kind: string): Mark {
    return this.know(kind, Array.from({ length: 36 }, () => this.random.pick(Array.from(alphabet))).join(""))
  }

  /** A secret that somebody else has made. */
  know(kind: string, value: string): Mark {
    if (value.length < 24)
      throw new Error(`a secret of ${value.length} characters is too short to be searched: ${kind}`)
    const mark = { kind, value }
    this.all.push(mark)
    return mark
  }
}

/** A spelling of a secret that a search looks for. */
export interface Needle {
  readonly spelling: string
  readonly bytes: Buffer
}

// A part is as bad as the whole: an excerpt, a line that was cut.
const partLength = 14

/** The digits of base64 that are the same whatever stands before and behind the secret, for one of three alignments. */
const inBase64 = (value: string, offset: number): string => {
  const encoded = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)]).toString("base64")
  return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + value.length) * 8) / 6))
}

/** How a secret may be spelled where it is not meant to be. */
export const needlesOf = ({ value }: Mark): ReadonlyArray<Needle> => [
  { spelling: "beginning", bytes: Buffer.from(value.slice(0, partLength)) },
  { spelling: "end", bytes: Buffer.from(value.slice(-partLength)) },
  ...[0, 1, 2].map((offset) => ({ spelling: "base64", bytes: Buffer.from(inBase64(value, offset)) })),
  { spelling: "hex", bytes: Buffer.from(Buffer.from(value).toString("hex")) },
  { spelling: "UTF-16", bytes: Buffer.from(value, "utf16le") },
  { spelling: "backwards", bytes: Buffer.from(Array.from(value).toReversed().join("")) }
]
