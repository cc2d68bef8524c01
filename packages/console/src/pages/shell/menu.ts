import { pathOf } from "../../data/paths.ts"
import { may } from "../../data/session.ts"
import { type Page, pages } from "../pages.ts"

/** An entry of the menu. */
export interface MenuItem {
  readonly page: Page
  readonly name: string
  readonly to: string
}

/** The pages of the menu that the session may open, for a service if there is one. */
export const menuOf = (organizationId: string, serviceId: string | undefined): ReadonlyArray<MenuItem> =>
  pages.flatMap((page) => {
    if (page.menu === undefined || !may(page.permission)) return []
    if (serviceId === undefined && page.path.includes(":serviceId")) return []
    return [{ page, name: page.menu, to: pathOf(page.path, { organizationId, serviceId }) }]
  })
