import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type InvalidRequest, invalidRequest } from "../../error/CallError.ts"
import { groupedAnswer } from "../answer/groupedAnswer.ts"
import type { AnsweredRows } from "../answer/rowsAnswer.ts"
import type { ChartData } from "../ChartQuery.ts"
import type { ChartEngine } from "../query/ChartEngines.ts"
import type { Expression } from "../expression/Expression.ts"
import type { QuerySource, TableQuery } from "../query/TableQuery.ts"
import type { querySettings } from "./sourceFields.ts"
import { previousPeriods, previousRange, type TimeRange } from "./Periods.ts"
import type { GroupedPlan } from "./planGrouped.ts"
import type { Planned } from "./texts.ts"

/** What was planned, or the `InvalidRequest` that says which field was refused. */
export const planned = <A>(plan: Planned<A>): Effect.Effect<A, InvalidRequest> =>
  Effect.fromResult(Result.mapError(plan, (issue) => invalidRequest([issue])))

/** The most parts of the expressions of a query. A condition on values that are no literals has its expression once for each. */
const mostParts = 250_000

/** How many parts are left after those of an expression: fewer than 0 if it has more. */
const partsLeft = (expression: Expression | undefined, left: number): number => {
  if (expression === undefined || left < 0) return left
  switch (expression._tag) {
    case "Literal":
    case "Column":
      return left - 1
    case "Cast":
      return partsLeft(expression.argument, left - 1)
    case "Lambda":
      return partsLeft(expression.body, left - 1)
    case "Call":
      return expression.arguments.reduce((rest, argument) => partsLeft(argument, rest), left - 1)
  }
}

/** Refuses a condition that is too large: it may stand in the query of a query. */
const checkSize = (query: TableQuery): Effect.Effect<void, InvalidRequest> => {
  let left = mostParts
  for (let source: QuerySource | TableQuery = query; "_tag" in source; source = source.from) {
    left = partsLeft(source.where, left)
  }
  const message = `The conditions of the chart have more than ${mostParts} parts: choose fewer values, or simpler filters`
  return left < 0 ? Effect.fail(invalidRequest([{ path: "filters", message }])) : Effect.void
}

/** Runs the queries of one chart, and keeps what they cost. */
export const queryRunner = (engine: ChartEngine, settings: ReturnType<typeof querySettings> = []) => {
  const warnings = new Set<string>()
  const cost = { rowsRead: 0, elapsedMs: 0 }
  return {
    run: Effect.fnUntraced(function* (query: TableQuery) {
      yield* checkSize(query)
      const answer = yield* engine.query(query, settings)
      cost.rowsRead += answer.rowsRead
      cost.elapsedMs += answer.elapsed
      for (const warning of answer.warnings) warnings.add(warning)
      return answer
    }),
    warn: (texts: ReadonlyArray<string>): void => {
      for (const text of texts) warnings.add(text)
    },
    /** The data of the chart, with the cost of all queries so far. */
    dataOf: (
      rows: AnsweredRows & { readonly granularitySeconds?: number },
      { from, to }: TimeRange,
      displayType: string
    ): ChartData => ({
      displayType,
      from,
      to,
      ...rows,
      rowsRead: Math.round(cost.rowsRead),
      elapsedMs: Math.round(cost.elapsedMs),
      warnings: [...warnings]
    })
  }
}

/** Runs the queries of one chart. */
export type QueryRunner = ReturnType<typeof queryRunner>

const bothAnswers = Effect.fnUntraced(function* ({ run }: QueryRunner, plan: GroupedPlan, hasPrevious: boolean) {
  const { periods, queryOf, range } = plan
  const current = run(queryOf(range, periods))
  if (!hasPrevious) return { current: yield* current }
  const before = periods === undefined ? undefined : previousPeriods(periods)
  const previous = run(queryOf(before?.range ?? previousRange(range), before))
  const [now, answer] = yield* Effect.all([current, previous], { concurrency: 2 })
  return { current: now, previous: { answer, periods: before } }
})

/** The data of a chart with a row for each group and period. */
export const runGrouped = Effect.fnUntraced(function* (runner: QueryRunner, plan: GroupedPlan, hasPrevious: boolean) {
  const { warnings, ...rows } = groupedAnswer(plan, yield* bothAnswers(runner, plan, hasPrevious))
  runner.warn(warnings)
  const periods = plan.periods === undefined ? {} : { granularitySeconds: plan.periods.seconds }
  return runner.dataOf({ ...rows, ...periods }, plan.range, plan.displayType)
})
