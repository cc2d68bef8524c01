import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { CallFailed, messageOf } from "../../data/CallFailed.ts"
import { fieldErrorsOf } from "../../data/fieldErrors.ts"
import { makeKeyOfRequest } from "../../data/idempotencyKey.ts"
import { bodyOf, openApi } from "../../data/openApi.ts"
import { Action } from "../../parts/Action.tsx"
import { focusWrong } from "../../parts/focusWrong.ts"
import { draftOfValue, mergedDraft, type NodeDraft, readNode, shownErrors } from "../../parts/schemaForm/nodeDraft.ts"
import { SchemaFields } from "../../parts/schemaForm/SchemaFields.tsx"
import { choiceOf, nodeOf, type ObjectNode, withMember } from "../../parts/schemaForm/schemaNode.ts"
import type { Document, DocumentKind } from "./documentKinds.ts"
import { changedFields, replacing } from "./sourceModel.ts"

interface DocumentDialogProps {
  readonly kind: DocumentKind
  /** The document that is changed; absent for a new one. */
  readonly id?: string | undefined
  /** The names of the connections, by id. */
  readonly connections: Readonly<Record<string, string>>
  readonly onDone: () => void
  readonly onClose: () => void
}

/** What the dialog has read: the form, and the version that is changed. */
interface Loaded {
  readonly node: ObjectNode
  readonly present: { readonly value: Document; readonly etag: string | undefined } | undefined
}

type Values = Readonly<Record<string, unknown>>
const valuesOf = (value: unknown): Values => Object(value)

const load = async (
  { creation, read }: DocumentKind,
  id: string | undefined,
  connections: DocumentDialogProps["connections"]
): Promise<Loaded> => {
  const [document, present] = await Promise.all([openApi(), id === undefined ? undefined : read(id)])
  const body = bodyOf(document, creation.method, creation.path)
  const node = body === undefined ? undefined : nodeOf(body, document.components.schemas)
  if (node?.kind !== "object") throw new CallFailed("The OpenAPI document of the server does not have it.")
  return {
    node: withMember(node, "connection", (member) => ({
      ...member,
      description: "The connection to the database.",
      node: choiceOf(Object.keys(connections), connections)
    })),
    present
  }
}

/** Reads the document anew after somebody else has changed it, and says what is different. */
const asChanged = async (kind: DocumentKind, before: Loaded, error: CallFailed) => {
  const id = before.present?.value.id ?? ""
  const present = await kind.read(id)
  const fields = changedFields(valuesOf(before.present?.value), valuesOf(present.value))
  const what = fields.length === 0 ? "It is as it was." : `Different now: ${fields.join(", ")}.`
  return {
    loaded: { ...before, present },
    failed: new CallFailed(
      `The ${kind.one} was changed meanwhile. ${what} What you did not touch is shown as it is now.`,
      {
        status: error.status,
        requestId: error.requestId
      }
    )
  }
}

const useDocument = ({ connections, id, kind, onDone }: DocumentDialogProps) => {
  const loaded = useSignal<Loaded | undefined>(undefined)
  const draft = useSignal<NodeDraft>(undefined)
  const errors = useSignal<Readonly<Record<string, string>>>({})
  const problem = useSignal<string | undefined>(undefined)
  const removesPassword = useSignal(false)
  const keyOf = useRef(makeKeyOfRequest())
  useEffect(() => {
    const read = async () => {
      try {
        const { node, present } = await load(kind, id, connections)
        draft.value = draftOfValue(node, present?.value, navigator.language)
        loaded.value = { node, present }
      } catch (error) {
        problem.value = messageOf(error)
      }
    }
    void read()
  }, [])
  const send = async ({ node, present }: Loaded, values: Values) => {
    if (present === undefined) return kind.create(values, keyOf.current(values))
    const removed = removesPassword.value ? ["password"] : []
    return kind.replace(present.value.id, replacing(node, valuesOf(present.value), values, removed), present.etag)
  }
  const refused = async (now: Loaded, error: unknown): Promise<unknown> => {
    if (!(error instanceof CallFailed)) return error
    if (error.failure === "changed" && now.present !== undefined) {
      const changed = await asChanged(kind, now, error)
      const draftOf = (value: unknown) => draftOfValue(now.node, value, navigator.language)
      draft.value = mergedDraft(draftOf(now.present.value), draft.value, draftOf(changed.loaded.present.value))
      loaded.value = changed.loaded
      return changed.failed
    }
    if (error.failure === "invalid") {
      errors.value = shownErrors(now.node, draft.value, "", fieldErrorsOf(error.message))
      focusWrong("dialog")
    }
    return error
  }
  const run = async () => {
    const now = loaded.value
    if (now === undefined) return
    const read = readNode(now.node, draft.value, "", true, navigator.language)
    errors.value = read.errors
    if (Object.keys(read.errors).length > 0) {
      focusWrong("dialog")
      throw new CallFailed("Some fields are wrong.", { status: 400 })
    }
    try {
      await send(now, valuesOf(read.value))
    } catch (error) {
      throw await refused(now, error)
    }
    onDone()
  }
  return { draft, errors, loaded, problem, removesPassword, run }
}

/** The dialog that makes or changes a connection or a source. A password is only written: an empty one stays as it is. */
export const DocumentDialog = (props: DocumentDialogProps) => {
  const { id, kind, onClose } = props
  const { draft, errors, loaded, problem, removesPassword, run } = useDocument(props)
  const { node, present } = loaded.value ?? {}
  const hasPassword = node?.members.some(({ name }) => name === "password") === true
  return (
    <Action
      title={id === undefined ? `New ${kind.one}` : `Change ${present?.value.name ?? `the ${kind.one}`}`}
      verb={id === undefined ? "Create" : "Save"}
      isReady={node !== undefined}
      run={run}
      onClose={onClose}
    >
      {problem.value === undefined ? null : <p class="failed">It could not be read: {problem.value}</p>}
      {node === undefined ? (
        problem.value === undefined ? (
          <p role="status">Loading the fields …</p>
        ) : null
      ) : (
        <SchemaFields
          node={node}
          draft={draft.value}
          path=""
          errors={errors.value}
          isFirst={(path) => kind.first.includes(path)}
          onChange={(next) => (draft.value = next)}
        />
      )}
      {hasPassword && present !== undefined ? (
        <>
          <p class="quiet">No answer has the password: without a new one it stays as it is.</p>
          <label class="row">
            <input
              type="checkbox"
              checked={removesPassword.value}
              onChange={(event) => (removesPassword.value = event.currentTarget.checked)}
            />
            Remove the password
          </label>
        </>
      ) : null}
    </Action>
  )
}
