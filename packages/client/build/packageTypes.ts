import * as Core from "@headgate/core"
import type * as Schema from "effect/Schema"
import { OrganizationAddress } from "../src/addresses.ts"
import { ApiKeyCreate, ApiKeyUpdate } from "../src/key/KeysClient.ts"
import { RoleCreate, RoleUpdate } from "../src/key/RolesClient.ts"
import {
  PipeCreate,
  PipeResume,
  PipeStateChange,
  PipeUpdate,
  ScalingUpdate,
  SchemaDiscovery,
  SettingsUpdate
} from "../src/pipe/PipesClient.ts"
import { CdcReplicaSizeUpdate } from "../src/service/CdcScalingClient.ts"
import { ReversePrivateEndpointCreate, ReversePrivateEndpointUpdate } from "../src/service/PrivateEndpointsClient.ts"
import { ServiceStateChange } from "../src/service/ServicesClient.ts"
import type { DataType } from "./DataTypes.ts"

const output = (schema: Schema.Constraint): DataType => ({ schema, direction: "output" })
const input = (schema: Schema.Constraint): DataType => ({ schema, direction: "input" })

/** The schema of each type of the package that is plain data. A test compares them with the types of the sources. */
export const packageTypes: Readonly<Record<string, DataType>> = {
  Organization: output(Core.Organization),
  Whoami: output(Core.Whoami),
  Service: output(Core.Service),
  CdcReplicaSize: output(Core.CdcReplicaSize),
  ReversePrivateEndpoint: output(Core.ReversePrivateEndpoint),
  Pipe: output(Core.Pipe),
  Settings: output(Core.Settings),
  DiscoveredSchema: output(Core.DiscoveredSchema),
  PipeStatus: output(Core.PipeStatus),
  PipeContext: output(Core.PipeContext),
  ApiKey: output(Core.ApiKey),
  CreatedApiKey: output(Core.CreatedApiKey),
  Role: output(Core.Role),
  Dashboard: output(Core.Dashboard),
  DashboardValidation: output(Core.DashboardValidation),
  Connection: output(Core.Connection),
  DashboardSource: output(Core.DashboardSource),
  SavedSearch: output(Core.SavedSearch),
  Webhook: output(Core.Webhook),
  Alert: output(Core.Alert),
  Snapshot: output(Core.Snapshot),

  OrganizationAddress: input(OrganizationAddress),
  ServiceAddress: input(Core.ServiceAddress),
  PipeAddress: input(Core.PipeAddress),
  ApiKeyAddress: input(Core.ApiKeyAddress),
  RoleAddress: input(Core.RoleAddress),
  ReversePrivateEndpointAddress: input(Core.ReversePrivateEndpointAddress),
  ServiceStateChange: input(ServiceStateChange),
  CdcReplicaSizeUpdate: input(CdcReplicaSizeUpdate),
  ReversePrivateEndpointCreate: input(ReversePrivateEndpointCreate),
  ReversePrivateEndpointUpdate: input(ReversePrivateEndpointUpdate),
  PipeCreate: input(PipeCreate),
  PipeUpdate: input(PipeUpdate),
  PipeStateChange: input(PipeStateChange),
  PipeResume: input(PipeResume),
  ScalingUpdate: input(ScalingUpdate),
  SettingsUpdate: input(SettingsUpdate),
  SchemaDiscovery: input(SchemaDiscovery),
  ApiKeyCreate: input(ApiKeyCreate),
  ApiKeyUpdate: input(ApiKeyUpdate),
  RoleCreate: input(RoleCreate),
  RoleUpdate: input(RoleUpdate),
  DashboardCreate: input(Core.DashboardCreate),
  DashboardUpdate: input(Core.DashboardUpdate),
  DashboardDocument: input(Core.DashboardDocument),
  TileConfig: input(Core.TileConfig),
  ConnectionCreate: input(Core.ConnectionCreate),
  DashboardSourceCreate: input(Core.DashboardSourceCreate),
  SavedSearchCreate: input(Core.SavedSearchCreate),
  WebhookCreate: input(Core.WebhookCreate),
  AlertCreate: input(Core.AlertCreate),
  PipeInput: input(Core.Pipe),
  DashboardInput: input(Core.Dashboard),
  SnapshotInput: input(Core.Snapshot)
}
