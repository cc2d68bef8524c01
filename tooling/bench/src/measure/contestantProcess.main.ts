// The process of one contestant: it does what its parent asks and tells what CPU time that took.
import type { Work } from "./Contestant.ts"
import type { Answer, Question } from "./ContestantProcess.ts"

const [, , module = ""] = process.argv
const loading: Promise<{ readonly work: Work }> = import(module)

const answer = async (question: Question): Promise<Answer> => {
  const { work } = await loading
  switch (question.ask) {
    case "once":
      return { document: await work.once() }
    case "accepted":
      return { accepted: await work.accepted() }
    case "batch": {
      const before = process.cpuUsage()
      await work.repeat(question.times, question.atOnce)
      const { system, user } = process.cpuUsage(before)
      return { cpuMicroseconds: user + system }
    }
  }
}

process.on("message", (question: Question) => {
  answer(question).then(
    (answered) => process.send?.(answered),
    (error: unknown) =>
      process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  )
})
process.on("disconnect", () => process.exit(0))
