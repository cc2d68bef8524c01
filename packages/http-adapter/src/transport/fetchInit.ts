// With credentials of its own, a browser asks its user for a password after a 401. Runtimes without such credentials,
// such as Cloudflare Workers, refuse the option. Node has neither them nor `self`: there, `Request` would load all of fetch.
const omitCredentials = (): RequestInit =>
  "self" in globalThis && "credentials" in Request.prototype ? { credentials: "omit" } : {}

/**
 * Options of fetch to follow no redirects, so that credentials stay with their origin, and to send no cookies and no passwords
 * of its own. `given` override the rest.
 */
export const fetchInit = (given?: RequestInit): RequestInit => ({
  ...omitCredentials(),
  ...given,
  redirect: "manual"
})
