export { HttpDashboards } from "./HttpDashboards.ts"
