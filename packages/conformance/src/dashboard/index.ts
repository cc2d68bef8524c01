export {
  dashboardDocumentsLaws,
  type DashboardDocumentsLawsOptions,
  type DashboardDocumentsLawsPorts
} from "./dashboardDocumentsLaws.ts"
export { dashboardsLaws, type DashboardsLawsOptions } from "./dashboardsLaws.ts"
export { organizationDashboardsLaws, type OrganizationDashboardsLawsOptions } from "./organizationDashboardsLaws.ts"
