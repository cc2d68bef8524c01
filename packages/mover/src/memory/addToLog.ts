import type { LoggedPositions } from "../port/Warehouse.ts"
import type { Range } from "../range/Range.ts"

/** The log of a pipe of which nothing is logged. */
export const emptyLog: LoggedPositions = { generation: 0, positions: new Map() }

/** The log of a pipe with a range. One that does not follow what is logged is a repeat, and changes nothing. */
export const addToLog = (logged = emptyLog, { from, generation, partition, to }: Range): LoggedPositions => {
  const positions = logged.generation === generation ? logged.positions : emptyLog.positions
  const isRepeat = logged.generation > generation || (positions.get(partition) ?? from) !== from
  return isRepeat ? logged : { generation, positions: new Map([...positions, [partition, to]]) }
}
