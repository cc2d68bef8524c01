export { MemoryDashboards } from "./MemoryDashboards.ts"
