import { useSignal } from "@preact/signals"
import type { ComponentChildren, ComponentType } from "preact"
import { useEffect, useErrorBoundary } from "preact/hooks"
import { place } from "./data/route.ts"
import { ended, may, session } from "./data/session.ts"
import { openLink } from "./data/signIn.ts"
import { onCode } from "./data/takeCode.ts"
import { rolesFor } from "./format/roles.ts"
import { type Page, pageOf } from "./pages/pages.ts"
import { Home } from "./pages/shell/Home.tsx"
import { ScopeOf } from "./pages/shell/Scope.tsx"
import { Shell } from "./pages/shell/Shell.tsx"
import { SignIn, SignInAgain } from "./pages/sign-in/SignIn.tsx"
import { Empty } from "./parts/Conditions.tsx"
import { Title } from "./parts/Title.tsx"

const loaded = new Map<Page, ComponentType<any>>()

/** What is seen of a page whose script does not fit the server, such as after an upgrade of the server under an open page. */
const Reload = ({ title, why }: { readonly title: string; readonly why: string }) => (
  <>
    <Title>{title}</Title>
    <Empty title={`This page ${why}`}>
      <p>The server may have been upgraded since it was opened, or is away.</p>
      <button type="button" class="primary" onClick={() => location.reload()}>
        Reload
      </button>
    </Empty>
  </>
)

/** A page, or that it failed: never a blank one. */
const Guarded = ({ children, title }: { readonly children: ComponentChildren; readonly title: string }) => {
  const [error] = useErrorBoundary((cause: unknown) => console.error(cause))
  return error === undefined ? <>{children}</> : <Reload title={title} why="failed" />
}

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
  if (failed.value && Component === undefined) return <Reload title={page.title} why="could not be loaded" />
  return arrived.value >= 0 && Component !== undefined ? <Component {...params} /> : <p class="loading">Loading …</p>
}

const Content = () => {
  const path = place.value.path
  if (path === "/") return <Home />
  const found = pageOf(path)
  if (found === undefined) {
    return (
      <>
        <Title>There is no such page</Title>
        <p>The link may be of another version. The menu has all pages.</p>
      </>
    )
  }
  if (!may(found.page.permission)) {
    return (
      <>
        <Title>{found.page.title}</Title>
        <Empty title="This key may not open the page">
          <p>
            The page needs the permission <code>{found.page.permission}</code>, which the roles of the key do not grant.{" "}
            {rolesFor(found.page.permission)}
          </p>
        </Empty>
      </>
    )
  }
  return (
    <Guarded key={path} title={found.page.title}>
      <Loaded page={found.page} params={found.params} />
    </Guarded>
  )
}

/** The whole console: the sign-in, or the page of the URL, which stays when its session ends. */
export const App = () => {
  useEffect(() => onCode(() => void openLink()), [])
  const current = session.value ?? ended.value
  if (current === undefined) return <SignIn />
  return (
    <>
      <Guarded key={current.organizationId} title="Headgate">
        <ScopeOf>
          <Shell>
            <Content />
          </Shell>
        </ScopeOf>
      </Guarded>
      {session.value === undefined ? <SignInAgain /> : null}
    </>
  )
}
