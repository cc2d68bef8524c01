import { calls } from "../../data/calls.ts"
import { usePoll } from "../../data/poll.ts"
import { isKept, keepSession } from "../../data/session.ts"
import { served } from "../../data/server.ts"
import { signOut } from "../../data/signIn.ts"

/** Who is signed in, and what they may choose for themselves. */
export const Account = ({ openKeys }: { readonly openKeys: () => void }) => {
  const { value } = usePoll((signal) => calls.organization.whoami(undefined, { signal }), undefined, [])
  const { key, roles } = value.value ?? {}
  return (
    <>
      <button type="button" popovertarget="account">
        {key?.name ?? "Account"} <span aria-hidden="true">▾</span>
      </button>
      <div id="account" popover="auto" class="account">
        <p>
          Signed in with the key <strong>{key?.name ?? "…"}</strong>
          <br />
          <span class="quiet">
            {roles === null || roles === undefined || roles.length === 0 ? "No roles" : `Roles: ${roles.join(", ")}`}
          </span>
        </p>
        <label class="row">
          <input
            type="checkbox"
            checked={isKept.value}
            onChange={(event) => keepSession(event.currentTarget.checked)}
          />
          Keep me signed in in this tab
        </label>
        <button type="button" onClick={openKeys}>
          Keyboard shortcuts
        </button>
        <button type="button" onClick={() => void signOut()}>
          Sign out
        </button>
        {served.version === "" ? null : <p class="quiet">headgate-server {served.version}</p>}
      </div>
    </>
  )
}
