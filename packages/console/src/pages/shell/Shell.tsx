import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect, useMemo, useRef } from "preact/hooks"
import { announced } from "../../data/announce.ts"
import { pathOf, paths } from "../../data/paths.ts"
import { go, place } from "../../data/route.ts"
import { served } from "../../data/server.ts"
import { dismissUnseen, unseen } from "../../data/unseen.ts"
import { Failed } from "../../parts/Conditions.tsx"
import { Link } from "../../parts/Link.tsx"
import { pageOf } from "../pages.ts"
import { Account } from "./Account.tsx"
import { KeysDialog } from "./KeysDialog.tsx"
import { type MenuItem, menuOf } from "./menu.ts"
import { useScope } from "./Scope.tsx"
import { shortcutsOf, useShortcuts } from "./shortcuts.ts"

const Menu = ({ items }: { readonly items: ReadonlyArray<MenuItem> }) => {
  const path = place.value.path
  return (
    <nav aria-label="Pages">
      <ul>
        {items.map(({ name, page, to }) => (
          <li key={name}>
            <Link to={to} current={pageOf(path)?.page === page || path.startsWith(`${to}/`)}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The organization, and the service: chosen if there are several. */
const Where = () => {
  const { organizationId, organizations, serviceId, services } = useScope()
  const organization = organizations.value.value?.find(({ id }) => id === organizationId)
  const list = services.value.value ?? []
  return (
    <span class="where">
      {organization?.name ?? ""}
      {list.length > 1 ? (
        <select
          aria-label="Service"
          value={serviceId}
          onChange={(event) => go(pathOf(paths.pipes, { organizationId, serviceId: event.currentTarget.value }))}
        >
          {list.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      ) : (
        list.map(({ id, name }) => <span key={id}> / {name}</span>)
      )}
    </span>
  )
}

/** The live region in which `announce` says what has changed. */
const Announced = () => (
  <p class="hidden-label" role="status">
    {announced.value}
  </p>
)

/** A command that failed after its dialog was closed. */
const Unseen = () =>
  unseen.value === undefined ? null : (
    <section aria-label={unseen.value.title}>
      <div class="row">
        <strong>
          <bdi>{unseen.value.title}</bdi>
        </strong>
        <button type="button" onClick={dismissUnseen}>
          Dismiss
        </button>
      </div>
      <Failed failed={unseen.value.failed} />
    </section>
  )

/** What stands around every page: the menu, the service, sign-out. */
export const Shell = ({ children }: { readonly children: ComponentChildren }) => {
  const { organizationId, serviceId } = useScope()
  const areKeysShown = useSignal(false)
  const main = useRef<HTMLElement>(null)
  const menu = menuOf(organizationId, serviceId)
  const targets = menu.map(({ to }) => to).join(" ")
  const openKeys = () => {
    areKeysShown.value = true
  }
  const shortcuts = useMemo(() => shortcutsOf(menu, openKeys), [targets])
  useShortcuts(shortcuts)
  // The next person who signs in has not sent it.
  useEffect(() => dismissUnseen, [])
  return (
    <>
      <a
        class="skip"
        href="#content"
        onClick={(event) => {
          event.preventDefault()
          main.current?.focus()
        }}
      >
        Skip to the content
      </a>
      <header>
        <div class="shell-header">
          <span class="brand">
            <Link to="/">Headgate</Link>
          </span>
          <Where />
          <Menu items={menu} />
          <div class="end">
            <Account openKeys={openKeys} />
          </div>
        </div>
        {served.isSimulated ? <p class="notice">Simulated: no rows are moved.</p> : null}
      </header>
      <main ref={main} id="content" tabIndex={-1}>
        <Unseen />
        {children}
      </main>
      <Announced />
      {areKeysShown.value ? <KeysDialog shortcuts={shortcuts} onClose={() => (areKeysShown.value = false)} /> : null}
    </>
  )
}
