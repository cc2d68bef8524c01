/** The levels that a select item of the aggregation function `quantile` may have. */
export const quantileLevels = [0.5, 0.9, 0.95, 0.99] as const
