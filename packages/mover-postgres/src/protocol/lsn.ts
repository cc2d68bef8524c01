// A place in Postgres's log: two hexadecimal numbers of 32 bits.

/** A place as a number. */
export const lsnOf = (text: string): bigint => {
  const [high = "0", low = "0"] = text.split("/")
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

/** A place as Postgres writes it. */
export const lsnText = (lsn: bigint): string =>
  `${(lsn >> 32n).toString(16).toUpperCase()}/${(lsn & 0xffff_ffffn).toString(16).toUpperCase()}`
