import { useEffect } from "preact/hooks"
import { redirect } from "../../data/route.ts"
import { Empty, Polled } from "../../parts/Conditions.tsx"
import { Title } from "../../parts/Title.tsx"
import { menuOf } from "./menu.ts"
import { useScope } from "./Scope.tsx"

const First = ({ to }: { readonly to: string }) => {
  useEffect(() => redirect(to), [to])
  return null
}

/** Leads on to the first page of the menu. */
export const Home = () => {
  const { organizationId, services } = useScope()
  return (
    <>
      <Title>Headgate</Title>
      <Polled poll={services} of="services">
        {(list) => {
          const to = menuOf(organizationId, list[0]?.id)[0]?.to
          return to === undefined ? (
            <Empty title="Nothing to show with this key">
              <p>Its roles grant none of the pages, or the organization has no service yet.</p>
            </Empty>
          ) : (
            <First to={to} />
          )
        }}
      </Polled>
    </>
  )
}
