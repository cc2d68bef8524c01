import { CallFailed } from "../../data/CallFailed.ts"
import { ended, forgetSession } from "../../data/session.ts"
import { link } from "../../data/signIn.ts"
import { Copied } from "../../parts/Copy.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Title } from "../../parts/Title.tsx"
import { adviceOf } from "./advice.ts"
import { KeyForm } from "./KeyForm.tsx"

const LinkFailed = () =>
  link.value instanceof CallFailed ? (
    <p class="failed" role="alert">
      {adviceOf(link.value, "link")}
    </p>
  ) : null

const AnotherWay = () => (
  <>
    <h2>With a link</h2>
    <p>This command prints a link that signs you in. It can be used once, for five minutes.</p>
    <Copied of="command" text="headgate console" />
  </>
)

/** The page of those who are not signed in. */
export const SignIn = () => (
  <main class="sign-in">
    <p class="brand">Headgate</p>
    <Title>Sign in</Title>
    {link.value === "opening" ? (
      <p>Signing in …</p>
    ) : (
      <>
        <LinkFailed />
        <section>
          <h2>With an API key</h2>
          <KeyForm />
        </section>
        <section>
          <AnotherWay />
        </section>
      </>
    )}
  </main>
)

/** The sign-in over a page that stays as it was: what was filled in is not lost. */
export const SignInAgain = () => (
  <Dialog title="Sign in again">
    <p>
      The session has ended. The page stays as it is: sign in with the same key, or another one of the organization.
    </p>
    <LinkFailed />
    <KeyForm organizationId={ended.value?.organizationId} />
    <p class="quiet">
      Or paste a link of <code>headgate console</code> over the address of this page.
    </p>
    <button type="button" onClick={forgetSession}>
      Leave the page
    </button>
  </Dialog>
)
