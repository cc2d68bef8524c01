import * as Schema from "effect/Schema"
import { resumeBy } from "./Decision.ts"

/** The source could not be reached, or did not answer as it should. The mover tries again: the pipe is Degraded. */
export class SourceError extends Schema.TaggedError<SourceError>("@headgate/mover/SourceError")("SourceError", {
  message: Schema.String,
  /** The field of the pipe's source that the source refuses, if it answered: a pipe is not created with it. */
  field: Schema.optionalKey(Schema.String),
  /** Set if it was the source that answered so: it is there, and may be busy or about to start. */
  answered: Schema.optionalKey(Schema.Literal(true))
}) {}

/**
 * The source no longer holds the position that comes next: its rows from `position` up to `first` are lost. The pipe is
 * Failed, and never goes on at another position by itself.
 */
export class PositionLost extends Schema.TaggedError<PositionLost>("@headgate/mover/PositionLost")("PositionLost", {
  partition: Schema.String,
  position: Schema.String,
  /** The first position that the source still holds. */
  first: Schema.String
}) {
  override get message(): string {
    return `partition ${this.partition}: the source no longer holds ${this.position}, its first position is ${this.first}: the rows between are lost. To leave them out: ${resumeBy({ pending: "skip" })}`
  }
}

/**
 * A recorded range cannot be read again as it was: the pipe is Failed. An object that changed before its rows were staged is
 * planned anew instead, for none of its rows are in the table.
 */
export class RangeChanged extends Schema.TaggedError<RangeChanged>("@headgate/mover/RangeChanged")("RangeChanged", {
  message: Schema.String
}) {}

/** The warehouse could not be reached, or failed without naming a row. The mover tries again: the pipe is Degraded. */
export class WarehouseError extends Schema.TaggedError<WarehouseError>("@headgate/mover/WarehouseError")(
  "WarehouseError",
  { message: Schema.String }
) {}

/** The warehouse will not take the rows however often it is tried: a setting that its profile refuses. The pipe is Failed. */
export class WarehouseRefused extends Schema.TaggedError<WarehouseRefused>("@headgate/mover/WarehouseRefused")(
  "WarehouseRefused",
  { message: Schema.String }
) {}

/**
 * The rows of a pending range were checked before, by the columns of another time or another engine, and now other rows are rejected.
 * Its rows may be in the table or not: the pipe is Failed until somebody decides.
 */
export class RejectionChanged extends Schema.TaggedError<RejectionChanged>("@headgate/mover/RejectionChanged")(
  "RejectionChanged",
  { range: Schema.String, reason: Schema.String }
) {
  override get message(): string {
    return `${this.range} was interrupted, and since then the table or the engine has changed: it rejects a row that it took before (${this.reason}). Look whether the rows are in the table. If they are not: ${resumeBy({ pending: "replay" })}. If they are: ${resumeBy({ pending: "skip" })}`
  }
}

/** The warehouse cannot read an object: it is not of its format, or has values that the table does not take. */
export class ObjectRejected extends Schema.TaggedError<ObjectRejected>("@headgate/mover/ObjectRejected")(
  "ObjectRejected",
  { reason: Schema.String }
) {}

/** The ledger could not be reached. The mover tries again: the pipe is Degraded. */
export class LedgerError extends Schema.TaggedError<LedgerError>("@headgate/mover/LedgerError")("LedgerError", {
  message: Schema.String
}) {}

/** Another mover owns the pipe now: this one ends and changes nothing more. */
export class OwnershipLost extends Schema.TaggedError<OwnershipLost>("@headgate/mover/OwnershipLost")("OwnershipLost", {
  message: Schema.String
}) {}

/**
 * The ledger is not as this mover left it: it was restored from a backup, or a write whose answer was lost has taken effect
 * later. The mover takes the pipe and reads the ledger again.
 */
export class LedgerChanged extends Schema.TaggedError<LedgerChanged>("@headgate/mover/LedgerChanged")("LedgerChanged", {
  message: Schema.String
}) {}

/** The pipe is Failed until somebody decides: the message says what happened and what to do. */
export class CannotContinue extends Schema.TaggedError<CannotContinue>("@headgate/mover/CannotContinue")(
  "CannotContinue",
  { message: Schema.String }
) {}

/** Why an owner cannot write to the ledger. */
export type LedgerWriteError = LedgerError | LedgerChanged | OwnershipLost

/** Everything that ends an attempt to move a pipe. */
export type MoveError =
  | SourceError
  | PositionLost
  | RangeChanged
  | WarehouseError
  | WarehouseRefused
  | LedgerWriteError
  | CannotContinue
  | RejectionChanged

/**
 * What an error does to a pipe. `retry`: the pipe is Degraded, and Failed when it has been tried for too long. `fail`: it is
 * Failed at once. `leave`: another mover owns it.
 */
export const reactions: { readonly [Tag in MoveError["_tag"]]: "retry" | "fail" | "leave" } = {
  SourceError: "retry",
  WarehouseError: "retry",
  LedgerError: "retry",
  LedgerChanged: "retry",
  PositionLost: "fail",
  RangeChanged: "fail",
  WarehouseRefused: "fail",
  CannotContinue: "fail",
  RejectionChanged: "fail",
  OwnershipLost: "leave"
}
