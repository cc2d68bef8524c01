import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { CallFailed, messageOf } from "../../data/CallFailed.ts"
import { inDialect } from "../../data/call.ts"
import { calls } from "../../data/calls.ts"
import { bodyOf, type OpenApi, openApi } from "../../data/openApi.ts"
import { pathOf, paths } from "../../data/paths.ts"
import { go, place } from "../../data/route.ts"
import { number } from "../../format/numbers.ts"
import { Action } from "../../parts/Action.tsx"
import { DeleteAction } from "../../parts/DeleteAction.tsx"
import { Field } from "../../parts/Field.tsx"
import { focusWrong } from "../../parts/focusWrong.ts"
import { type Draft, draftOf, fieldsOf, readDraft } from "../../parts/schemaForm/formModel.ts"
import { SchemaForm } from "../../parts/schemaForm/SchemaForm.tsx"
import { changePipe, errorsOf } from "./changePipe.ts"
import { targetsOf } from "./details.ts"
import type { PipeDocument, Polls, VersionedPipe } from "./usePipe.ts"

interface DialogProps {
  /** The version that the dialog is opened with, to which its change is made. */
  readonly pipe: VersionedPipe
  readonly polls: Polls
  readonly onClose: () => void
}

type Values = Readonly<Record<string, unknown>>

interface SchemaDialogProps extends DialogProps {
  readonly title: string
  readonly says: string
  /** The operation, of whose body the form is made. */
  readonly call: { readonly method: string; readonly path: string }
  /** What an empty field means. */
  readonly absent: string
  /** Whether a field is one of this pipe's source. */
  readonly concerns?: (pipe: PipeDocument, name: string) => boolean
  readonly present: (pipe: PipeDocument) => Values
  /** Sends the fields; `others` are the present values that the form does not know. */
  readonly change: (values: Values, etag: string | undefined, others: Values) => Promise<unknown>
}

/** A form of the schema of a request, which is read when the dialog opens. */
const SchemaDialog = ({
  absent,
  call,
  change,
  concerns = () => true,
  onClose,
  pipe,
  polls,
  present,
  says,
  title
}: SchemaDialogProps) => {
  const seen = useRef(pipe)
  const document = useSignal<OpenApi | undefined>(undefined)
  const draft = useSignal<Draft | undefined>(undefined)
  const errors = useSignal<Readonly<Record<string, string>>>({})
  const problem = useSignal<string | undefined>(undefined)
  useEffect(() => {
    openApi().then(
      (read) => (document.value = read),
      (error: unknown) => (problem.value = messageOf(error))
    )
  }, [])
  const form = document.value === undefined ? undefined : bodyOf(document.value, call.method, inDialect(call.path))
  const fields =
    form === undefined ? [] : fieldsOf(form, absent, number).filter(({ name }) => concerns(seen.current.value, name))
  const shown = draft.value ?? draftOf(fields, present(seen.current.value), navigator.language)
  const othersOf = (pipe: PipeDocument) =>
    Object.fromEntries(Object.entries(present(pipe)).filter(([name]) => fields.every((field) => field.name !== name)))
  const run = async () => {
    const read = readDraft(fields, shown, navigator.language)
    errors.value = read.errors
    focusWrong("dialog")
    if (Object.keys(read.errors).length > 0) throw new CallFailed("Some fields are wrong.", { status: 400 })
    await changePipe(polls, seen, (etag) => change(read.values, etag, othersOf(seen.current.value))).catch(
      (error: unknown) => {
        errors.value = errorsOf(
          error,
          fields.map(({ name }) => name)
        )
        throw error
      }
    )
  }
  return (
    <Action title={title} verb="Save" isReady={form !== undefined} run={run} onClose={onClose}>
      <p>{says}</p>
      {problem.value === undefined ? null : <p class="failed">The fields could not be read: {problem.value}</p>}
      {document.value === undefined && problem.value === undefined ? <p role="status">Loading the fields …</p> : null}
      <SchemaForm fields={fields} draft={shown} errors={errors.value} onChange={(next) => (draft.value = next)} />
    </Action>
  )
}

const known = (value: object | null | undefined): Values => ({ ...value })

/** Changes the settings of a pipe. Those that the form does not know stay. */
export const SettingsDialog = ({ onClose, pipe, polls }: DialogProps) => (
  <SchemaDialog
    title="Settings"
    says="The settings take effect at once, in every state of the pipe."
    call={calls.pipe.updateSettings}
    absent="Empty: the default."
    concerns={({ source }, name) =>
      (source?.kafka != null || !name.startsWith("kafka_")) &&
      (source?.objectStorage != null || !name.startsWith("object_storage_"))
    }
    present={({ settings }) => known(settings)}
    change={(values, ifMatch, others) =>
      calls.pipe.updateSettings({ ...polls.address, ...others, ...values }, { ifMatch })
    }
    pipe={pipe}
    polls={polls}
    onClose={onClose}
  />
)

/** Changes the size of a pipe. */
export const ScaleDialog = ({ onClose, pipe, polls }: DialogProps) => (
  <SchemaDialog
    title="Scale"
    says="The number of replicas and the size of each, in every state of the pipe."
    call={calls.pipe.scale}
    absent="Empty: as it is."
    present={({ scaling }) => known(scaling)}
    change={(values, ifMatch) => calls.pipe.scale({ ...polls.address, ...values }, { ifMatch })}
    pipe={pipe}
    polls={polls}
    onClose={onClose}
  />
)

/** Gives a pipe another name. */
export const RenameDialog = ({ onClose, pipe, polls }: DialogProps) => {
  const seen = useRef(pipe)
  const name = useSignal(seen.current.value.name)
  const error = useSignal<string | undefined>(undefined)
  const run = () =>
    changePipe(polls, seen, (ifMatch) => calls.pipe.update({ ...polls.address, name: name.value }, { ifMatch })).catch(
      (failed: unknown) => {
        error.value = errorsOf(failed, ["name"])["name"]
        throw failed
      }
    )
  return (
    <Action title="Rename" verb="Rename" isReady={name.value.trim() !== ""} run={run} onClose={onClose}>
      <p>The id of the pipe, its state and its rows stay. Files for apply that name it find it by its new name.</p>
      <Field label="Name" error={error.value}>
        {(control) => (
          <input
            {...control}
            autocomplete="off"
            value={name.value}
            onInput={(event) => (name.value = event.currentTarget.value)}
          />
        )}
      </Field>
    </Action>
  )
}

/** Deletes a pipe, after its name was typed. */
export const DeleteDialog = ({ onClose, pipe, polls }: DialogProps) => {
  const seen = useRef(pipe)
  const { current } = seen
  const tables = targetsOf(current.value)
  const { organizationId, serviceId } = polls.address
  const run = async () => {
    await changePipe(polls, seen, (ifMatch) => calls.pipe.delete(polls.address, { ifMatch }))
    // A person who has gone to another page meanwhile stays there.
    if (place.peek().path === pathOf(paths.pipe, { ...polls.address }))
      go(pathOf(paths.pipes, { organizationId, serviceId }))
  }
  return (
    <DeleteAction name={current.value.name} run={run} onClose={onClose}>
      <p>The pipe is deleted for good.</p>
      <ul>
        <li>
          In the warehouse, {tables.length === 0 ? "the tables" : <bdi>{tables.join(", ")}</bdi>} with the rows, the
          rejected rows and the log stay. Staging tables go.
        </li>
        <li>
          In the source nothing is deleted but what the pipe made: its slot and its publication in a Postgres. A
          consumer group that the pipe names stays.
        </li>
        <li>Its history and its events go, and its credentials.</li>
      </ul>
    </DeleteAction>
  )
}
