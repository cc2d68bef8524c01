/** The page of those who are not signed in. */
export const SignIn = () => (
  <main>
    <h1>Sign in</h1>
  </main>
)
