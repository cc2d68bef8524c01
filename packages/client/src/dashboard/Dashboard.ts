import type * as Core from "@headgate/core"
import type { Input } from "../Input.ts"
import type { Plain } from "../Plain.ts"

/** A dashboard made of tiles. */
export type Dashboard = Plain<Core.Dashboard>

/** What it takes to create a dashboard: a name, and the tiles on it. */
export type DashboardCreate = Input<Core.DashboardCreate>
