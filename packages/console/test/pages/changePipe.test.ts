import { signal } from "@preact/signals"
import { afterEach, expect, it, vi } from "vitest"
import { CallFailed } from "../../src/data/CallFailed.ts"
import { calls } from "../../src/data/calls.ts"
import { changePipe, errorsOf } from "../../src/pages/pipe/changePipe.ts"
import type { Polls, VersionedPipe } from "../../src/pages/pipe/usePipe.ts"

const address = { organizationId: "o", serviceId: "s", pipeId: "p" }
const version = (etag: string, name: string): VersionedPipe => ({
  value: { id: "p", serviceId: "s", name, state: "Running" },
  etag
})

const pollsOf = () => {
  const told: Array<unknown> = []
  const poll = { value: signal(undefined), at: signal(undefined), failure: signal(undefined), refresh: () => {} }
  const polls: Polls = {
    address,
    pipe: { ...poll, set: (value) => told.push(value) },
    status: { ...poll, set: () => {} },
    events: { ...poll, set: () => {} },
    refresh: () => told.push("refresh")
  }
  return { polls, told }
}

const changed = () => new CallFailed("changed", { status: 412, requestId: "r" })

afterEach(() => {
  vi.restoreAllMocks()
})

it("makes a change to the version that was seen, and reads the pipe again", async () => {
  const { polls, told } = pollsOf()
  const tags: Array<string | undefined> = []
  await changePipe(polls, { current: version('"1"', "a") }, async (etag) => tags.push(etag))
  expect(tags).toEqual(['"1"'])
  expect(told).toEqual(["refresh"])
})

it("says what someone else has changed, and makes the next attempt to that version", async () => {
  const { polls, told } = pollsOf()
  const present = version('"2"', "b")
  vi.spyOn(calls.pipe.get, "versioned").mockResolvedValue(present)
  const seen = { current: version('"1"', "a") }
  const tags: Array<string | undefined> = []
  const change = async (etag: string | undefined) => {
    tags.push(etag)
    if (etag === '"1"') throw changed()
  }
  await expect(changePipe(polls, seen, change)).rejects.toMatchObject({
    message: "The pipe was changed meanwhile: name: a is now b.",
    status: 412,
    requestId: "r"
  })
  expect(told).toEqual([present])
  await changePipe(polls, seen, change)
  expect(tags).toEqual(['"1"', '"2"'])
  expect(told).toEqual([present, "refresh"])
})

it("says that a change was taken back", async () => {
  const { polls } = pollsOf()
  vi.spyOn(calls.pipe.get, "versioned").mockResolvedValue(version('"3"', "a"))
  await expect(
    changePipe(polls, { current: version('"1"', "a") }, () => Promise.reject(changed()))
  ).rejects.toMatchObject({ message: "The pipe was changed meanwhile, and is as it was." })
})

it("leaves other failures as they are", async () => {
  const { polls, told } = pollsOf()
  const failure = new CallFailed("no", { status: 409 })
  await expect(changePipe(polls, { current: version('"1"', "a") }, () => Promise.reject(failure))).rejects.toBe(failure)
  await expect(changePipe(polls, { current: version('"1"', "a") }, () => Promise.reject("odd"))).rejects.toBe("odd")
  expect(told).toEqual([])
})

it("tells a wrong field at the field", () => {
  const failed = new CallFailed("BAD_REQUEST: a: wrong; b: too", { status: 400 })
  expect(errorsOf(failed, ["a", "c"])).toEqual({ a: "wrong" })
  expect(errorsOf(new CallFailed("a: wrong", { status: 409 }), ["a"])).toEqual({})
  expect(errorsOf(new Error("a: wrong"), ["a"])).toEqual({})
})
