import { snapshotOf } from "@headgate/core/snapshot"
import type { Dialect } from "../Dialect.ts"
import { pipeOnWire } from "../pipe/PipeOnWire.ts"

/** The codec of a snapshot document whose pipes are written in a dialect: what `headgate-server --import` reads. */
export const snapshotOnWire = (dialect: Dialect) => snapshotOf(pipeOnWire(dialect))
