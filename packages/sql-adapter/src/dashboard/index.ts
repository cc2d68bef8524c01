export { SqlDashboardDocuments } from "./SqlDashboardDocuments.ts"
export { SqlDashboards } from "./SqlDashboards.ts"
