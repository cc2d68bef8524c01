export { dashboardGroup } from "./DashboardGroup.ts"
