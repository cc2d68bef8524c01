import type { CallError, PipeNotFound } from "@headgate/core"
import type { Declined } from "../usage/Declined.ts"
import type { DocumentError } from "../usage/DocumentError.ts"
import type { UsageError } from "../usage/UsageError.ts"

/** Every error that a command can end with, once its command line could be read. */
export type CommandError = UsageError | DocumentError | Declined | PipeNotFound | CallError
