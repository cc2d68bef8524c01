import { useMemo } from "preact/hooks"
import { calls } from "../../data/calls.ts"
import { type Poll, usePoll } from "../../data/poll.ts"

/** The address of a pipe: the parameters of the path of the page. */
export interface PipeAddress {
  readonly organizationId: string
  readonly serviceId: string
  readonly pipeId: string
}

export type PipeDocument = Awaited<ReturnType<typeof calls.pipe.get>>
export type PipeStatus = Awaited<ReturnType<typeof calls.pipe.status>>
export type PipeEvents = Awaited<ReturnType<typeof calls.pipe.events>>

/** A pipe, and the version to which a change is made. */
export interface VersionedPipe {
  readonly value: PipeDocument
  readonly etag: string | undefined
}

/** What is known of a pipe, read again and again. */
export interface Polls {
  readonly address: PipeAddress
  readonly pipe: Poll<VersionedPipe>
  readonly status: Poll<PipeStatus>
  readonly events: Poll<PipeEvents>
  /** Reads all of it now, as after a command. */
  readonly refresh: () => void
}

/** Polls a pipe while the page is open. */
export const usePipe = ({ organizationId, pipeId, serviceId }: PipeAddress): Polls => {
  const inputs = [organizationId, serviceId, pipeId]
  const address = useMemo(() => ({ organizationId, serviceId, pipeId }), inputs)
  const pipe = usePoll((signal) => calls.pipe.get.versioned(address, { signal }), 15_000, inputs)
  const status = usePoll((signal) => calls.pipe.status(address, { signal }), 3000, inputs)
  const events = usePoll((signal) => calls.pipe.events({ ...address, limit: 50 }, { signal }), 10_000, inputs)
  const refresh = () => {
    for (const poll of [pipe, status, events]) poll.refresh()
  }
  return { address, pipe, status, events, refresh }
}
