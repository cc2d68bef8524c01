import { CdcReplicaSize, CdcReplicaSizeUpdate, CdcScaling } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Output from "../output/Output.ts"
import { detailText, masked } from "../output/detailText.ts"
import { requestOfFlags } from "../usage/requestOfFlags.ts"
import { serviceAddress } from "../address/nouns.ts"

const print = (size: CdcReplicaSize) =>
  Output.print({
    text: (layout) => detailText(masked(size), layout),
    json: Output.encoded(CdcReplicaSize, size)
  })

const get = Command.make(
  "get",
  {},
  Effect.fnUntraced(function* () {
    const scaling = yield* CdcScaling
    yield* print(yield* scaling.get(yield* serviceAddress))
  })
).pipe(
  Command.withDescription("Show the size of the replica that the database pipes of the service share"),
  Command.withExamples([{ command: "headgate pipe cdc-scaling get" }])
)

const flagNames: Readonly<Record<string, string>> = { replicaCpuMillicores: "--cpu", replicaMemoryGb: "--memory" }

const checked = requestOfFlags(CdcReplicaSizeUpdate, (path) => flagNames[path] ?? path)

const set = Command.make(
  "set",
  {
    cpu: Flag.Int("cpu").pipe(Flag.withDescription("CPU in millicores, 1000 to 32000"), Flag.optional),
    memory: Flag.Finite("memory").pipe(
      Flag.withDescription("Memory in GB, 4 to 128; 4 for each CPU core"),
      Flag.optional
    )
  },
  Effect.fnUntraced(function* ({ cpu, memory }) {
    const scaling = yield* CdcScaling
    const update = yield* checked({
      ...Option.match(cpu, { onNone: () => ({}), onSome: (replicaCpuMillicores) => ({ replicaCpuMillicores }) }),
      ...Option.match(memory, { onNone: () => ({}), onSome: (replicaMemoryGb) => ({ replicaMemoryGb }) })
    })
    yield* print(yield* scaling.update(yield* serviceAddress, update))
  })
).pipe(
  Command.withDescription("Change the size of the replica that the database pipes of the service share"),
  Command.withExamples([{ command: "headgate pipe cdc-scaling set --cpu 4000", description: "4 cores and 16 GB" }])
)

/** `headgate pipe cdc-scaling get|set` */
export const cdcScaling = Command.make("cdc-scaling").pipe(
  Command.withDescription("Show and change the size of the replica of database pipes"),
  Command.withSubcommands([get, set])
)
