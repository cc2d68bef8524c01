import type { WireRequest } from "./wireRequest.ts"

const mostTries = 250

const withoutChunks = (body: Buffer): ReadonlyArray<Buffer> => {
  const shorter: Array<Buffer> = []
  for (let size = body.length; size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < body.length; at += size) {
      shorter.push(Buffer.concat([body.subarray(0, at), body.subarray(at + size)]))
      if (shorter.length > mostTries) return shorter
    }
  }
  return shorter
}

const simpler = (request: WireRequest): Iterable<WireRequest> => [
  ...request.headers.map((_, index) => ({ ...request, headers: request.headers.toSpliced(index, 1) })),
  ...(request.body === undefined ? [] : [{ ...request, body: undefined }]),
  ...(request.chunked ? [{ ...request, chunked: false }] : []),
  ...withoutChunks(Buffer.from(request.target)).map((target) => ({ ...request, target: target.toString() || "/" })),
  ...(request.body === undefined ? [] : withoutChunks(request.body).map((body) => ({ ...request, body })))
]

/** The simplest request found that still goes wrong: parts are left out, one after the other, while it does. */
export const minimise = async (
  request: WireRequest,
  stillWrong: (request: WireRequest) => Promise<boolean>
): Promise<WireRequest> => {
  let best = request
  let tries = 0
  for (let found = true; found;) {
    found = false
    for (const candidate of simpler(best)) {
      if (++tries > mostTries) return best
      if (!(await stillWrong(candidate))) continue
      best = candidate
      found = true
      break
    }
  }
  return best
}
