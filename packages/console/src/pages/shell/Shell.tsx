import type { ComponentChildren } from "preact"

/** What stands around every page: the menu, the service, sign-out. */
export const Shell = ({ children }: { readonly children: ComponentChildren }) => <main>{children}</main>
