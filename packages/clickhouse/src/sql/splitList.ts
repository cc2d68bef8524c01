/** Splits a list at the commas that are in no bracket and in no quotes. */
export const splitList = (list: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let [depth, begin, quote] = [0, 0, ""]
  for (let at = 0; at < list.length; at += 1) {
    const sign = list.charAt(at)
    if (sign === "\\") at += 1
    else if (quote !== "") quote = sign === quote ? "" : quote
    else if ("'`\"".includes(sign)) quote = sign
    else if ("([{".includes(sign)) depth += 1
    else if (")]}".includes(sign)) depth -= 1
    else if (sign === "," && depth === 0) {
      parts.push(list.slice(begin, at))
      begin = at + 1
    }
  }
  return [...parts, list.slice(begin)].map((part) => part.trim()).filter((part) => part !== "")
}
