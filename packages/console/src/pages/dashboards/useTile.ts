import type { ChartQuery } from "@headgate/client"
import { type Signal, useSignal } from "@preact/signals"
import type { RefObject } from "preact"
import { useEffect, useMemo, useRef } from "preact/hooks"
import { calls } from "../../data/calls.ts"
import { now } from "../../data/clock.ts"
import { makePoll } from "../../data/poll.ts"
import { makeQueue } from "./queue.ts"
import type { Answer } from "./tile.ts"

// A server lets a caller have few queries at work.
const queue = makeQueue(4)

/** Whether an element is in view, or near it. */
export const useSeen = (element: RefObject<HTMLElement | null>): Signal<boolean> => {
  const isSeen = useSignal(false)
  useEffect(() => {
    if (element.current === null) return
    const observer = new IntersectionObserver(
      (entries) => {
        isSeen.value = entries.some(({ isIntersecting }) => isIntersecting)
      },
      { rootMargin: "200px" }
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return isSeen
}

/** What a tile asks for. */
export interface TileQuery {
  /** The same text for the same question: it begins anew when it changes. */
  readonly key: string
  readonly request: (now: number) => ChartQuery
  /** Milliseconds; `undefined` to ask once. */
  readonly interval: number | undefined
  readonly isSeen: boolean
  /** Changes when it is to be asked for again at once. */
  readonly refreshed: number
}

/** An answer and when it came. */
export interface Picture {
  readonly data: Answer
  readonly at: number
}

/**
 * The data of a tile while it is seen: one request in flight, none while the tile is out of view. A new question cancels the one before
 * and leaves its picture until the answer comes.
 */
export const useTile = ({ interval, isSeen, key, refreshed, request }: TileQuery) => {
  const poll = useMemo(
    () => makePoll((signal) => calls.chart.query(request(now()), { signal }), interval, queue.run),
    [key, interval]
  )
  useEffect(() => (isSeen ? poll.start() : undefined), [poll, isSeen])
  const first = useRef(refreshed)
  useEffect(() => {
    if (first.current !== refreshed) poll.refresh()
    first.current = refreshed
  }, [refreshed])
  const last = useRef<Picture>(undefined)
  const [data, at] = [poll.value.value, poll.at.value]
  if (data !== undefined && at !== undefined && last.current?.data !== data) last.current = { data, at }
  return {
    picture: last.current,
    isLoading: data === undefined && poll.failure.value === undefined,
    failed: poll.failure.value,
    refresh: poll.refresh
  }
}
