// A place in Postgres's log: two hexadecimal numbers of 32 bits.

/** A place as a number. */
export const lsnOf = (text: string): bigint => {
  const [high = "0", low = "0"] = text.split("/")
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

/** A place as Postgres writes it. */
export const lsnText = (lsn: bigint): string =>
  `${(lsn >> 32n).toString(16).toUpperCase()}/${(lsn & 0xffff_ffffn).toString(16).toUpperCase()}`

/** How far changes are read: up to a place in the log, and the highest version that one of them has. */
export interface Progress {
  readonly lsn: bigint
  readonly version: bigint
}

/** The progress that a position of the ledger tells. */
export const progressOf = (position: string): Progress => {
  const [place = "", above = "0"] = position.split("+")
  const lsn = lsnOf(place)
  return { lsn, version: lsn + BigInt(above) }
}

/** A progress as a position of the ledger: the place in the log, and by how much the version is above it. */
export const positionOf = ({ lsn, version }: Progress): string =>
  version > lsn ? `${lsnText(lsn)}+${version - lsn}` : lsnText(lsn)
