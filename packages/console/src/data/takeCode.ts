// The first module that runs: whatever loads later finds no code in the URL.
const fragment = /^#code=(hgc_[\w-]+)$/.exec(location.hash)?.[1]
if (fragment !== undefined) history.replaceState(null, "", location.pathname + location.search)

let code: string | undefined = fragment

/** The code that the URL brought, once: it opens one session. */
export const takeCode = (): string | undefined => {
  const taken = code
  code = undefined
  return taken
}
