import type { ChartData } from "@headgate/core"
import { type TimeChart, timeChartOf as chartOf } from "@headgate/core/adapter"
import type * as DateTime from "effect/DateTime"
import { cellText, labelText } from "./chartText.ts"

/** The series of an answer, with labels for a terminal. */
export const timeChartOf = (data: ChartData, zone: DateTime.TimeZone): TimeChart =>
  chartOf(data, {
    group: (value, column) => cellText(value, column, { displayType: data.displayType, zone }),
    name: labelText
  })
