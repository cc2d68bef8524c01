import { useSignal } from "@preact/signals"
import type { ComponentType } from "preact"
import { useEffect } from "preact/hooks"
import { place } from "./data/route.ts"
import { may, session } from "./data/session.ts"
import { type Page, pageOf } from "./pages/pages.ts"
import { SignIn } from "./pages/sign-in/SignIn.tsx"
import { Shell } from "./pages/shell/Shell.tsx"
import { Empty } from "./parts/Conditions.tsx"

const loaded = new Map<Page, ComponentType<any>>()

/** A page whose script may not be there yet. After an upgrade of the server an old page finds no script: it says so. */
const Loaded = ({ page, params }: { readonly page: Page; readonly params: Readonly<Record<string, string>> }) => {
  const failed = useSignal(false)
  const arrived = useSignal(0)
  useEffect(() => {
    if (loaded.has(page)) return
    const load = async () => {
      try {
        loaded.set(page, await page.load())
        arrived.value += 1
      } catch {
        failed.value = true
      }
    }
    void load()
  }, [page])
  const Component = loaded.get(page)
  if (failed.value && Component === undefined) {
    return (
      <Empty title="This page could not be loaded">
        <p>The server may have been upgraded, or is away.</p>
        <button type="button" class="primary" onClick={() => location.reload()}>
          Reload
        </button>
      </Empty>
    )
  }
  return arrived.value >= 0 && Component !== undefined ? <Component {...params} /> : <p role="status">Loading …</p>
}

const Content = () => {
  const found = pageOf(place.value.path)
  if (found === undefined) return <Empty title="There is no such page" />
  if (!may(found.page.permission)) {
    return (
      <Empty title="Not with this key">
        <p>
          This page wants the permission <code>{found.page.permission}</code>, which the roles of the key do not grant.
        </p>
      </Empty>
    )
  }
  return <Loaded key={place.value.path} page={found.page} params={found.params} />
}

/** The whole console: the sign-in, or the page of the URL. */
export const App = () =>
  session.value === undefined ? (
    <SignIn />
  ) : (
    <Shell>
      <Content />
    </Shell>
  )
