import type { Pipe, PipeCreate } from "@headgate/core"
import { type PipeRecord, splitCredentials } from "@headgate/core/adapter"
import { type AllowedSources, noPipe, type SourceConfig } from "@headgate/mover"

/** The fields that are mapped to columns; those of the names of the columns where none is mapped. */
const wantedFields = ({ destination, fieldMappings }: Pick<Pipe, "destination" | "fieldMappings">) => {
  const mapped = (fieldMappings ?? []).map(({ sourceField }) => sourceField)
  const columns = (destination?.columns ?? []).map(({ name }) => name)
  return (mapped.length > 0 ? mapped : columns).filter((name) => typeof name === "string")
}

/** The source of a stored pipe. */
export const storedSource = ({ credentials = {}, pipe }: PipeRecord, allowed: AllowedSources): SourceConfig => ({
  pipeId: pipe.id,
  source: pipe.source ?? {},
  credentials,
  settings: pipe.settings ?? {},
  fields: wantedFields(pipe),
  allowed
})

/** A new pipe, or what is asked of its source before. */
export type RequestedPipe = Pick<PipeCreate, "source" | "settings" | "destination" | "fieldMappings">

/** The source of a new pipe, or one that is discovered for it. */
export const requestedSource = (request: RequestedPipe, allowed: AllowedSources, pipeId = noPipe): SourceConfig => ({
  pipeId,
  ...splitCredentials(request.source),
  settings: request.settings ?? {},
  fields: wantedFields(request),
  allowed
})
