import { assert, describe, it } from "@effect/vitest"
import { type PipeAddress, OrganizationId, PipeId, Pipes, type PipeStateChange, ServiceId } from "@headgate/core"
import { sampleCallOf } from "@headgate/samples"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { scripted, type Step } from "./support/ScriptedClient.ts"
import { layerPorts } from "./support/ports.ts"

const address: PipeAddress = {
  organizationId: OrganizationId.make("11111111-1111-4111-8111-111111111111"),
  serviceId: ServiceId.make("22222222-2222-4222-8222-222222222222"),
  pipeId: PipeId.make("33333333-3333-4333-8333-333333333333")
}

const ok = { status: 200, body: sampleCallOf("pipe.get").responseBody }
const running = { status: 400, body: { status: 400, error: "BAD_REQUEST: ClickPipe is already running" } }
const completed = { status: 400, body: { status: 400, error: "BAD_REQUEST: ClickPipe is completed" } }
const unavailable = { status: 503 }
const refused = { status: 503, headers: { "retry-after": "1" } }

const cases: ReadonlyArray<readonly [string, PipeStateChange["command"], ReadonlyArray<Step>, string]> = [
  ["a start that is refused at once", "start", [running], "InvalidRequest after PATCH"],
  ["a start whose answer was lost", "start", ["reset", running, ok], "ok after PATCH PATCH GET"],
  ["a start that a 503 hid", "start", [unavailable, running, ok], "ok after PATCH PATCH GET"],
  ["a repeated start of a completed pipe", "start", ["reset", completed], "InvalidRequest after PATCH PATCH"],
  ["a stop whose answer was lost", "stop", ["reset", ok], "ok after PATCH PATCH"],
  ["a resync whose answer was lost", "resync", ["reset"], "ConnectionError after PATCH"],
  ["a resync that a 503 hid", "resync", [unavailable], "ServerError after PATCH"],
  ["a resync that was refused for a time", "resync", [refused, ok], "ok after PATCH PATCH"]
]

describe("repeats of commands to a pipe", () => {
  for (const [what, command, steps, expected] of cases) {
    it.effect(`${what}: ${expected}`, () =>
      Effect.gen(function* () {
        const service = scripted(...steps)
        const fiber = yield* Pipes.use((pipes) => pipes.setState(address, { command })).pipe(
          Effect.match({ onSuccess: () => "ok", onFailure: ({ _tag }) => _tag }),
          Effect.provide(layerPorts({ baseUrl: "https://api.test" })),
          Effect.provide(service.layer),
          Effect.forkChild
        )
        yield* TestClock.adjust("1 minute")
        const outcome = yield* Fiber.join(fiber)
        assert.strictEqual(`${outcome} after ${service.seen.map(({ method }) => method).join(" ")}`, expected)
      })
    )
  }
})
