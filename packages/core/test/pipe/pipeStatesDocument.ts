import * as Result from "effect/Result"
import { pipeStates } from "../../src/pipe/Pipe.ts"
import { type PipeKind, pipeKinds, stateSequences, transition } from "../../src/pipe/lifecycle.ts"

const titles: { readonly [Kind in PipeKind]: string } = {
  streaming: "Kafka, Kinesis, Pub/Sub, and object storage that is continuous",
  oneShot: "Object storage that is not continuous",
  cdc: "Postgres, MySQL and MongoDB",
  snapshot: "BigQuery, and databases with the replication mode `snapshot`"
}

const commands = ["start", "stop", "resync", "resume", "accept", "edit"] as const

/** The states that a pipe of this kind can be in, and those in which it has failed. */
const statesOf = (kind: PipeKind) => {
  const passed = new Set(Object.values(stateSequences[kind]).flat())
  return pipeStates.filter((state) => passed.has(state) || ["Degraded", "Failed", "InternalError"].includes(state))
}

const linesOf = (kind: PipeKind): ReadonlyArray<string> => {
  const { create = [] } = stateSequences[kind]
  const steps = Object.entries(stateSequences[kind]).flatMap(([action, path]) =>
    path
      .slice(1)
      .map((next, index) => `${path[index]} --> ${next}${action === "createPaused" ? ": with startPaused" : ""}`)
  )
  const commanded = statesOf(kind).flatMap((state) =>
    commands.flatMap((command) => {
      const path = Result.getOrElse(transition(kind, state, command), () => [])
      return path[0] === undefined ? [] : [`${state} --> ${path[0]}: ${command}`]
    })
  )
  return [...new Set([`[*] --> ${create[0]}: create`, ...steps, ...commanded])]
}

const cell = (kind: PipeKind, state: string, command: (typeof commands)[number]): string =>
  Result.match(transition(kind, state, command), {
    onFailure: ({ _tag, message }) => `${_tag === "Conflict" ? 409 : 400} \`${message.replace("command: ", "")}\``,
    onSuccess: (path) => (path.length === 0 ? "200, unchanged" : path.join(", "))
  })

const sectionOf = (kind: PipeKind): string => `## ${titles[kind]}

| Created | Created with \`startPaused\` |
|---|---|
| ${stateSequences[kind].create?.join(", ")} | ${stateSequences[kind].createPaused?.join(", ")} |

\`\`\`mermaid
stateDiagram-v2
${linesOf(kind)
  .map((line) => `  ${line}`)
  .join("\n")}
\`\`\`

| State | ${commands.join(" | ")} |
|---|${commands.map(() => "---|").join("")}
${statesOf(kind)
  .map((state) => `| ${state} | ${commands.map((command) => cell(kind, state, command)).join(" | ")} |`)
  .join("\n")}
`

/** The page \`docs/pipe-states.md\`, made from the data of the state machine. */
export const pipeStatesDocument = `# The states of a pipe

This page is made from the data in [lifecycle.ts](../packages/core/src/pipe/lifecycle.ts). After a change, write it with
\`npx vitest run --project core pipeStates -u\`.

An action puts a pipe on a path of states: it is in the first at once, in each but the last for one step, and stays in the last.
A step lasts half a second; \`headgate-server --step\` changes that. An arrow without a word is such a step. \`edit\` is a change
of the tables of a pipe. \`resume\` carries out [a decision](moving-data.md#decisions) about a pipe that moves rows: for a
simulated one it is 409 \`pipe is simulated: it moves no rows\`. \`accept\` is \`resume\` with \`acceptTable\`. \`adopt\` puts a simulated pipe on the path of a created one. A change of name, settings or scaling, and a deletion, are possible in every state. In the dialect
\`clickhouse\`, refusals begin with \`ClickPipe\` in place of \`pipe\`. A pipe that moves rows passes
the same states, each when its work is done ([moving data](moving-data.md)); those of the others are a simulation.

A pipe is Degraded, Failed, InternalError or Unknown only if \`/_admin\` or an import says so. An unknown state is treated as
Unknown: \`start\` says that the pipe is running, the other commands do as in Running.

Each change of a state is an [event](wire-contract.md#change-a-pipes-state-size-and-settings) with its time, its reason and what made it:
\`headgate pipe events <pipe>\` lists them. A step of a simulated pipe has the time when it was due, also if it is read later.

${pipeKinds.map(sectionOf).join("\n")}`
