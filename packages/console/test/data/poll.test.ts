import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { CallFailed } from "../../src/data/CallFailed.ts"
import { makePoll } from "../../src/data/poll.ts"
import { forgetSession, signIn } from "../../src/data/session.ts"
import { makeQueue } from "../../src/pages/dashboards/queue.ts"

/** A page that can be hidden. */
class FakeDocument extends EventTarget {
  hidden = false
  show(isSeen: boolean) {
    this.hidden = !isSeen
    this.dispatchEvent(new Event("visibilitychange"))
  }
}

interface Asked {
  readonly signal: AbortSignal
  readonly answer: (value: string) => Promise<void>
  readonly fail: (error: unknown) => Promise<void>
}

let page: FakeDocument
let asked: Array<Asked>
const stops: Array<() => void> = []

const settled = () => vi.advanceTimersByTimeAsync(0)

/** A server whose answers come when the test says so. */
const read = (signal: AbortSignal) =>
  new Promise<string>((resolve, reject) => {
    asked.push({
      signal,
      answer: async (value) => {
        resolve(value)
        await settled()
      },
      fail: async (error) => {
        reject(error)
        await settled()
      }
    })
  })

const at = (index: number): Asked => {
  const request = asked[index]
  assert.isDefined(request, `request ${index} was not made`)
  return request
}

const opened = { organizationId: "o", token: "hgs_1", expiresAt: 0, permissions: [] }

const started = (interval: number | "once" = 3000) => {
  const poll = makePoll(read, interval === "once" ? undefined : interval)
  const stop = poll.start()
  stops.push(stop)
  return { ...poll, stop }
}

describe("makePoll", () => {
  beforeEach(() => {
    page = new FakeDocument()
    asked = []
    vi.useFakeTimers()
    vi.stubGlobal("document", page)
    vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => {}, removeItem: () => {} })
    signIn(opened, false)
  })
  afterEach(() => {
    for (const stop of stops.splice(0)) stop()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it("asks at once, and again an interval after each answer: one request in flight", async () => {
    const { at: time, stop, value } = started()
    assert.lengthOf(asked, 1)
    await vi.advanceTimersByTimeAsync(60_000)
    assert.lengthOf(asked, 1, "no second request before the first is answered")
    assert.isUndefined(value.value)
    await at(0).answer("one")
    assert.strictEqual(value.value, "one")
    assert.isDefined(time.value)
    await vi.advanceTimersByTimeAsync(2999)
    assert.lengthOf(asked, 1)
    await vi.advanceTimersByTimeAsync(1)
    assert.lengthOf(asked, 2)
    await at(1).answer("two")
    assert.strictEqual(value.value, "two")
    stop()
    await vi.advanceTimersByTimeAsync(60_000)
    assert.lengthOf(asked, 2, "nothing is asked after the end")
  })

  it("does not start by itself, nor by a refresh after its end", () => {
    const poll = makePoll(read, 3000)
    poll.refresh()
    assert.lengthOf(asked, 0)
    const stop = poll.start()
    stop()
    poll.refresh()
    assert.lengthOf(asked, 1)
    assert.isTrue(at(0).signal.aborted)
  })

  it("reads once without an interval", async () => {
    const { stop, value } = started("once")
    await at(0).answer("one")
    await vi.advanceTimersByTimeAsync(600_000)
    page.show(false)
    page.show(true)
    assert.lengthOf(asked, 1)
    assert.strictEqual(value.value, "one")
    stop()
  })

  it("reads again without an interval until it did not fail", async () => {
    const { failure, stop } = started("once")
    await at(0).fail(new CallFailed("away"))
    await vi.advanceTimersByTimeAsync(5000)
    await at(1).answer("one")
    assert.isUndefined(failure.value)
    await vi.advanceTimersByTimeAsync(600_000)
    assert.lengthOf(asked, 2)
    stop()
  })

  it("drops the answer to an earlier request, and aborts it", async () => {
    const { refresh, stop, value } = started()
    refresh()
    assert.isTrue(at(0).signal.aborted)
    assert.isFalse(at(1).signal.aborted)
    await at(1).answer("new")
    await at(0).answer("old")
    assert.strictEqual(value.value, "new")
    await vi.advanceTimersByTimeAsync(3000)
    assert.lengthOf(asked, 3, "the dropped answer plans no request of its own")
    stop()
  })

  it("drops the failure of an earlier request", async () => {
    const { failure, refresh, stop } = started()
    refresh()
    await at(0).fail(new Error("aborted"))
    assert.isUndefined(failure.value)
    await vi.advanceTimersByTimeAsync(60_000)
    assert.lengthOf(asked, 2)
    stop()
  })

  it("keeps what a change answered, and not an answer that was asked for before it", async () => {
    const { set, stop, value } = started()
    set("changed")
    await at(0).answer("before")
    assert.strictEqual(value.value, "changed")
    assert.isTrue(at(0).signal.aborted)
    await vi.advanceTimersByTimeAsync(3000)
    assert.lengthOf(asked, 2, "and it goes on")
    stop()
  })

  it("keeps the last value with its time after a failure, and asks later each time", async () => {
    const { at: time, failure, stop, value } = started()
    await at(0).answer("one")
    const told = time.value
    await vi.advanceTimersByTimeAsync(3000)
    for (const [index, delay] of [5000, 10_000, 20_000, 60_000, 60_000].entries()) {
      await at(index + 1).fail(new CallFailed("away"))
      assert.deepStrictEqual([value.value, time.value, failure.value?.message], ["one", told, "away"])
      await vi.advanceTimersByTimeAsync(delay - 1)
      assert.lengthOf(asked, index + 2)
      await vi.advanceTimersByTimeAsync(1)
      assert.lengthOf(asked, index + 3)
    }
    await at(6).answer("two")
    assert.deepStrictEqual([value.value, failure.value], ["two", undefined])
    await vi.advanceTimersByTimeAsync(3000)
    assert.lengthOf(asked, 8, "as often as before")
    stop()
  })

  it("waits as long as the server asks for", async () => {
    const { stop } = started()
    await at(0).fail(new CallFailed("busy", { status: 429, retryAfter: 42_000 }))
    await vi.advanceTimersByTimeAsync(41_999)
    assert.lengthOf(asked, 1)
    await vi.advanceTimersByTimeAsync(1)
    assert.lengthOf(asked, 2)
    stop()
  })

  it("gives up a request that is not answered for a minute, and says so", async () => {
    started()
    await vi.advanceTimersByTimeAsync(59_999)
    assert.isFalse(at(0).signal.aborted)
    await vi.advanceTimersByTimeAsync(1)
    assert.isTrue(at(0).signal.aborted)
    const reason: unknown = at(0).signal.reason
    assert.deepStrictEqual(reason instanceof CallFailed && [reason.failure, reason.message], [
      "unreachable",
      "The server does not answer."
    ])
  })

  it("counts the minute from when the request is sent, not from when it began to wait for others", async () => {
    const queue = makeQueue(1)
    const [first, second] = [1, 2].map(() => makePoll(read, 3000, queue.run))
    stops.push(...[first, second].map((poll) => poll?.start() ?? (() => {})))
    await vi.advanceTimersByTimeAsync(50_000)
    assert.lengthOf(asked, 1, "the second one waits")
    await at(0).answer("one")
    await vi.advanceTimersByTimeAsync(59_999)
    assert.isFalse(at(1).signal.aborted)
    await at(1).answer("two")
    assert.strictEqual(second?.value.value, "two")
  })

  it("sends no request that was still waiting when the poll ended", async () => {
    const queue = makeQueue(1)
    const [first, second] = [makePoll(read, 3000, queue.run), makePoll(read, 3000, queue.run)]
    stops.push(first.start())
    second.start()()
    await settled()
    await at(0).answer("one")
    assert.lengthOf(asked, 1)
  })

  it("says of what is no failed call what it was", async () => {
    const { failure, stop } = started()
    await at(0).fail(new TypeError("wrong"))
    assert.deepStrictEqual([failure.value?.message, failure.value?.failure], ["wrong", "page"])
    await vi.advanceTimersByTimeAsync(5000)
    await at(1).fail("text")
    assert.strictEqual(failure.value?.message, "text")
    stop()
  })

  it("rests while the page is hidden, and asks once when it is seen again", async () => {
    const { stop } = started()
    await at(0).answer("one")
    page.show(false)
    await vi.advanceTimersByTimeAsync(600_000)
    assert.lengthOf(asked, 1)
    page.show(true)
    assert.lengthOf(asked, 2)
    page.show(false)
    await at(1).answer("two")
    await vi.advanceTimersByTimeAsync(600_000)
    assert.lengthOf(asked, 2, "an answer that comes while it is hidden plans nothing")
    page.show(true)
    page.show(true)
    assert.lengthOf(asked, 3)
    stop()
    page.show(true)
    assert.lengthOf(asked, 3)
  })

  it("rests when the session has ended, and asks at the next sign-in", async () => {
    const { failure, stop, value } = started()
    await at(0).answer("one")
    await vi.advanceTimersByTimeAsync(3000)
    forgetSession()
    await at(1).fail(new CallFailed("ended", { status: 401 }))
    await vi.advanceTimersByTimeAsync(600_000)
    assert.lengthOf(asked, 2)
    assert.deepStrictEqual([value.value, failure.value?.failure], ["one", "signedOut"])
    signIn({ ...opened, token: "hgs_2" }, false)
    assert.lengthOf(asked, 3)
    await at(2).answer("two")
    assert.deepStrictEqual([value.value, failure.value], ["two", undefined])
    stop()
    signIn({ ...opened, token: "hgs_3" }, false)
    assert.lengthOf(asked, 3)
  })

  it("asks nothing while nobody is signed in", () => {
    forgetSession()
    const { stop } = started()
    assert.lengthOf(asked, 0)
    stop()
  })
})
