// The process of one contestant: `contestant.main.ts <module> <name>`. It does what its parent asks and reports CPU time.
import type { Contestants, Task } from "./ContestantProcess.ts"

const [, , module = "", name = ""] = process.argv
const { contestants }: { readonly contestants: Contestants } = await import(module)
const work = await contestants[name]?.()
if (work === undefined) throw new Error(`${module} has no contestant ${name}`)

const run = async (task: Task): Promise<unknown> => {
  if (task._tag !== "batch") return work[task._tag]()
  const before = process.cpuUsage()
  await work.repeat(task.times, task.atOnce)
  const { system, user } = process.cpuUsage(before)
  return user + system
}

process.on("message", (task: Task) => {
  run(task).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.stack : String(error) })
  )
})
process.on("disconnect", () => process.exit(0))
