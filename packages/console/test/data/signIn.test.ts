import { afterEach, assert, describe, it, vi } from "vitest"

const opened = (token: string) =>
  new Response(
    JSON.stringify({ result: { organizationId: "o", token, expiresAt: "2026-11-27T16:00:00Z", permissions: [] } })
  )

/** A page that was opened with a code, its calls, and its answer to the question about a link. */
const pageWith = async (isWanted: boolean) => {
  const calls: Array<string> = []
  const asked: Array<string> = []
  const replaced: Array<unknown> = []
  const location = { hash: "#code=hgc_first", pathname: "/console", search: "" }
  let onHash = () => {}
  vi.stubGlobal("location", location)
  vi.stubGlobal("history", { replaceState: (...args: ReadonlyArray<unknown>) => replaced.push(args[2]) })
  vi.stubGlobal("document", { documentElement: { dataset: {} }, hidden: false })
  vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => {}, removeItem: () => {} })
  vi.stubGlobal("addEventListener", (name: string, listener: () => void) => {
    if (name === "hashchange") onHash = listener
  })
  vi.stubGlobal("confirm", (question: string) => {
    asked.push(question)
    return isWanted
  })
  vi.stubGlobal("fetch", (path: string, { body, method }: RequestInit) => {
    calls.push(`${method} ${path} ${body ?? ""}`.trim())
    return Promise.resolve(method === "DELETE" ? new Response("{}") : opened(`hgs_${calls.length}`))
  })
  vi.resetModules()
  const { openLink } = await import("../../src/data/signIn.ts")
  const { session } = await import("../../src/data/session.ts")
  const paste = (code: string) => {
    location.hash = `#code=${code}`
    onHash()
    return openLink()
  }
  return { asked, calls, openLink, paste, replaced, session }
}

describe("a link that signs in", () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })

  it("is taken out of the URL and used without a question where nobody is signed in", async () => {
    const { asked, calls, openLink, replaced, session } = await pageWith(false)
    assert.deepStrictEqual(replaced, ["/console"])
    await openLink()
    assert.strictEqual(session.value?.token, "hgs_1")
    assert.deepStrictEqual(asked, [])
    await openLink()
    assert.deepStrictEqual(calls, ['POST /v1/consoleSessions {"code":"hgc_first"}'])
  })

  it("takes the place of a session only if the person wants that", async () => {
    const { asked, calls, openLink, paste, session } = await pageWith(false)
    await openLink()
    await paste("hgc_second")
    assert.strictEqual(session.value?.token, "hgs_1")
    assert.lengthOf(asked, 1)
    assert.lengthOf(calls, 1)
  })

  it("ends the session whose place it takes", async () => {
    const { calls, openLink, paste, session } = await pageWith(true)
    await openLink()
    await paste("hgc_second")
    assert.strictEqual(session.value?.token, "hgs_2")
    assert.deepStrictEqual(calls.slice(1), [
      'POST /v1/consoleSessions {"code":"hgc_second"}',
      "DELETE /v1/consoleSessions"
    ])
  })
})
