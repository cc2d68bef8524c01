export { SqlDashboards } from "./SqlDashboards.ts"
