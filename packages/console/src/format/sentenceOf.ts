/** A message as a sentence, behind which another one can stand. One that begins with the name of a field keeps its case. */
export const sentenceOf = (message: string): string => {
  const begun = message.replace(/^[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase())
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`
}
