import { Pipes, ScalingUpdate } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { UsageError } from "../error/CommandError.ts"
import { requestOfFlags } from "../usage/requestOfFlags.ts"
import { pipeAddress, pipeIdArgument } from "./pipeAddress.ts"
import { printPipe } from "./printPipe.ts"

const flags = {
  replicas: Flag.Int("replicas").pipe(Flag.withDescription("Number of replicas, 1 to 40"), Flag.optional),
  cpu: Flag.Int("cpu").pipe(Flag.withDescription("CPU of each replica in millicores, 125 to 2000"), Flag.optional),
  memory: Flag.Finite("memory").pipe(Flag.withDescription("Memory of each replica in GB, 0.5 to 8"), Flag.optional),
  concurrency: Flag.Int("concurrency").pipe(
    Flag.withDescription("Files that an object storage pipe reads at once, 0 to 34; 0 lets the service choose"),
    Flag.optional
  )
}

const flagNames: Readonly<Record<string, string>> = {
  replicas: "--replicas",
  replicaCpuMillicores: "--cpu",
  replicaMemoryGb: "--memory",
  concurrency: "--concurrency"
}

const checked = requestOfFlags(ScalingUpdate, (path) => flagNames[path] ?? path)

/** `headgate pipe scale <pipe-id> [--replicas 2] [--cpu 250] [--memory 1] [--concurrency 4]` */
export const scale = Command.make(
  "scale",
  { pipeId: pipeIdArgument, ...flags },
  Effect.fnUntraced(function* ({ concurrency, cpu, memory, pipeId, replicas }) {
    const pipes = yield* Pipes
    const request = yield* checked({
      replicas: Option.getOrNull(replicas),
      replicaCpuMillicores: Option.getOrNull(cpu),
      replicaMemoryGb: Option.getOrNull(memory),
      concurrency: Option.getOrNull(concurrency)
    })
    if (Object.values(request).every(Predicate.isNull)) {
      const message = "There is nothing to change: give --replicas, --cpu, --memory or --concurrency."
      return yield* new UsageError({ message })
    }
    const pipe = yield* pipes.scale(yield* pipeAddress(pipeId), request)
    yield* printPipe(pipe, `Pipe ${pipe.id} was scaled`)
  })
).pipe(
  Command.withDescription("Change the number of replicas of a pipe, and the CPU and memory of each"),
  Command.withExamples([
    { command: "headgate pipe scale 6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f --replicas 2 --memory 1" }
  ])
)
