export { dashboardGroup } from "./DashboardGroup.ts"
export { dashboardOperations } from "./dashboardOperations.ts"
