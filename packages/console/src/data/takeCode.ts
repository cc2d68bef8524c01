// The first module that runs: whatever loads later finds no code in the URL.
let code: string | undefined
let run: (() => void) | undefined

const read = () => {
  const found = /^#code=(hgc_[\w-]+)$/.exec(location.hash)?.[1]
  if (found === undefined) return
  history.replaceState(null, "", location.pathname + location.search)
  code = found
  run?.()
}

read()
// A link that is pasted over the URL of an open page loads nothing anew.
addEventListener("hashchange", read)

/** The code that the URL brought, once: it opens one session. */
export const takeCode = (): string | undefined => {
  const taken = code
  code = undefined
  return taken
}

/** Calls `listener` when the URL of the open page brings a code. */
export const onCode = (listener: () => void): void => {
  run = listener
}
