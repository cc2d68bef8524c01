import type { ApiKey } from "@headgate/client"
import { useSignal } from "@preact/signals"
import { calls } from "../../data/calls.ts"
import { second } from "../../data/clock.ts"
import { usePoll } from "../../data/poll.ts"
import { may } from "../../data/session.ts"
import { ago } from "../../format/times.ts"
import { Empty, Polled } from "../../parts/Conditions.tsx"
import { PlainTable } from "../../parts/PlainTable.tsx"
import { State } from "../../parts/State.tsx"
import { Title } from "../../parts/Title.tsx"
import type { Credentials } from "./credentials.ts"
import { DeleteKey, RotateKey, SwitchKey } from "./KeyActions.tsx"
import { longUnused, roleNames, stateOf, unusedFor } from "./keyModel.ts"
import { NewKey } from "./NewKey.tsx"
import { ShownOnce } from "./ShownOnce.tsx"

const refreshMilliseconds = 30_000

type Opened =
  | { readonly dialog: "new" }
  | { readonly dialog: "shown"; readonly credentials: Credentials; readonly warning: string | undefined }
  | { readonly dialog: "rotate" | "switch" | "delete"; readonly key: ApiKey }

interface RowProps {
  readonly apiKey: ApiKey
  readonly open: (opened: Opened) => void
}

const LastUse = ({ apiKey }: { readonly apiKey: ApiKey }) => {
  const unused = unusedFor(apiKey, second.value) ?? 0
  const text = typeof apiKey.usedAt === "string" ? ago(apiKey.usedAt, second.value) : "never"
  return unused > longUnused ? <span class="state-warning">▲ {text}: is it still needed?</span> : <>{text}</>
}

const addressesOf = ({ ipAccessList }: ApiKey): string =>
  ipAccessList === null || ipAccessList === undefined
    ? "any"
    : ipAccessList.map(({ source }) => source).join(", ") || "none"

const KeyRow = ({ apiKey, open }: RowProps) => (
  <tr>
    <th scope="row">
      {apiKey.name} <small class="quiet">…{apiKey.keySuffix}</small>
    </th>
    <td>
      <State state={stateOf(apiKey, second.value)} />
    </td>
    <td>{roleNames(apiKey).join(", ") || "none"}</td>
    <td>{addressesOf(apiKey)}</td>
    <td>{typeof apiKey.expireAt === "string" ? ago(apiKey.expireAt, second.value) : "never"}</td>
    <td>
      <LastUse apiKey={apiKey} />
    </td>
    <td>
      <div class="row">
        {may("key:create") && may("key:update") ? (
          <button type="button" onClick={() => open({ dialog: "rotate", key: apiKey })}>
            Rotate<span class="hidden-label"> {apiKey.name}</span>
          </button>
        ) : null}
        {may("key:update") ? (
          <button type="button" onClick={() => open({ dialog: "switch", key: apiKey })}>
            {apiKey.state === "disabled" ? "Enable" : "Disable"}
            <span class="hidden-label"> {apiKey.name}</span>
          </button>
        ) : null}
        {may("key:delete") ? (
          <button type="button" onClick={() => open({ dialog: "delete", key: apiKey })}>
            Delete<span class="hidden-label"> {apiKey.name}</span>
          </button>
        ) : null}
      </div>
    </td>
  </tr>
)

const columns = ["Name", "State", "Roles", "Addresses", "Expires", "Last used", "Change"] as const

const KeyTable = ({ keys, open }: { readonly keys: ReadonlyArray<ApiKey>; readonly open: RowProps["open"] }) => (
  <PlainTable label="Keys" columns={columns}>
    {keys.map((apiKey) => (
      <KeyRow key={apiKey.id} apiKey={apiKey} open={open} />
    ))}
  </PlainTable>
)

/** The page of the keys of an organization. */
export const Keys = ({ organizationId }: { readonly organizationId: string }) => {
  const poll = usePoll((signal) => calls.key.list({ organizationId }, { signal }), refreshMilliseconds, [
    organizationId
  ])
  const opened = useSignal<Opened | undefined>(undefined)
  const close = () => {
    // The dialog of a new key closes after it has opened the one that shows its credentials.
    if (opened.value?.dialog !== "shown") opened.value = undefined
  }
  const common = { organizationId, onClose: close, onDone: poll.refresh }
  const onCreated = (credentials: Credentials, warning?: string) => {
    opened.value = { dialog: "shown", credentials, warning }
    poll.refresh()
  }
  const open = (next: Opened) => {
    opened.value = next
  }
  const dialog = opened.value
  return (
    <>
      <div class="row">
        <Title>Keys</Title>
        {may("key:create") ? (
          <button type="button" class="primary" onClick={() => open({ dialog: "new" })}>
            New key
          </button>
        ) : null}
      </div>
      <Polled poll={poll} of="keys">
        {(keys) =>
          keys.length === 0 ? (
            <Empty title="There are no keys" />
          ) : (
            <KeyTable keys={keys.toSorted((one, other) => one.name.localeCompare(other.name))} open={open} />
          )
        }
      </Polled>
      {dialog?.dialog === "new" ? (
        <NewKey organizationId={organizationId} onCreated={onCreated} onClose={close} />
      ) : null}
      {dialog?.dialog === "rotate" ? <RotateKey {...common} apiKey={dialog.key} onCreated={onCreated} /> : null}
      {dialog?.dialog === "switch" ? <SwitchKey {...common} apiKey={dialog.key} /> : null}
      {dialog?.dialog === "delete" ? <DeleteKey {...common} apiKey={dialog.key} /> : null}
      {dialog?.dialog === "shown" ? (
        <ShownOnce
          credentials={dialog.credentials}
          warning={dialog.warning}
          onClose={() => {
            opened.value = undefined
          }}
        />
      ) : null}
    </>
  )
}
