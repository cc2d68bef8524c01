import { ApiKeyId, DashboardId, OrganizationId, type Pipe, PipeId, ServiceId, type Snapshot } from "@headgate/core"
import { type OrganizationSnapshot, TokenId } from "@headgate/core/adapter"
import { fixtureIds } from "../fixtures/ids.ts"

/** A snapshot that contradicts itself, or conflicts with the fixture that the store holds. */
interface Contradiction {
  readonly title: string
  /** Whether the snapshot contradicts itself. If not, it conflicts with the fixture. */
  readonly isInternal: boolean
  /** The path of the wrong field. */
  readonly path: string
  readonly toSnapshot: (fixture: Snapshot) => Snapshot
}

const newService = ServiceId.make("5e000000-0000-4000-8000-00000000aaaa")

const newToken = TokenId.make("70ce0000-0000-4000-8000-00000000aaaa")

/**
 * An organization with one resource of every kind, none of which the store holds: nothing of it may be stored when the
 * snapshot is rejected.
 */
export const newOrganization: OrganizationSnapshot = {
  id: OrganizationId.make("0a0b0c0d-0000-4000-8000-00000000aaaa"),
  name: "new",
  services: [
    {
      id: newService,
      name: "new",
      pipes: [
        {
          id: PipeId.make("b1be0000-0000-4000-8000-00000000aaaa"),
          serviceId: newService,
          name: "new",
          state: "Running"
        }
      ]
    }
  ],
  keys: [
    {
      id: ApiKeyId.make("4e700000-0000-4000-8000-00000000aaaa"),
      name: "new",
      roles: ["admin"],
      hashData: { keyIdHash: `${"N".repeat(42)}A=`, keyIdSuffix: "newX", keySecretHash: `${"n".repeat(42)}A=` }
    }
  ],
  tokens: [{ name: "new", tokenHash: `${"T".repeat(42)}A=` }],
  dashboards: [{ id: DashboardId.make("dashboard-new"), name: "new" }]
}

/** The new organization with these fields changed; they may use ids of acme, which the store holds. */
const newOrganizationWith =
  (changes: (acme: OrganizationSnapshot) => Partial<OrganizationSnapshot>) =>
  ({ organizations: [acme] }: Snapshot): Snapshot => ({
    organizations: [{ ...newOrganization, ...(acme === undefined ? {} : changes(acme)) }]
  })

const newOrganizationWithPipes = (pipes: (newPipe: Pipe, acme: OrganizationSnapshot) => ReadonlyArray<Pipe>) =>
  newOrganizationWith((acme) => ({
    services: (newOrganization.services ?? []).map((service) => ({
      ...service,
      pipes: (service.pipes ?? []).flatMap((pipe) => pipes(pipe, acme))
    }))
  }))

export const contradictions: ReadonlyArray<Contradiction> = [
  {
    title: "an organization that occurs twice",
    isInternal: true,
    path: "organizations[1].id",
    toSnapshot: () => ({ organizations: [newOrganization, { id: newOrganization.id, name: "again" }] })
  },
  {
    title: "a service that occurs twice",
    isInternal: true,
    path: "organizations[0].services[1].id",
    toSnapshot: newOrganizationWith(() => ({
      services: [...(newOrganization.services ?? []), { id: newService, name: "again" }]
    }))
  },
  {
    title: "a pipe that occurs twice",
    isInternal: true,
    path: "organizations[0].services[0].pipes[1].id",
    toSnapshot: newOrganizationWithPipes((pipe) => [pipe, { ...pipe, name: "again" }])
  },
  {
    title: "a pipe whose serviceId is not the id of its service",
    isInternal: true,
    path: "organizations[0].services[0].pipes[0].serviceId",
    toSnapshot: newOrganizationWithPipes((pipe) => [{ ...pipe, serviceId: fixtureIds.services.ingest }])
  },
  {
    title: "a key that occurs twice",
    isInternal: true,
    path: "organizations[0].keys[1].hashData.keyIdHash",
    toSnapshot: newOrganizationWith(() => ({
      keys: (newOrganization.keys ?? []).flatMap((key) => [
        key,
        { ...key, id: ApiKeyId.make("4e700000-0000-4000-8000-00000000bbbb") }
      ])
    }))
  },
  {
    title: "a key id that occurs twice",
    isInternal: true,
    path: "organizations[0].keys[1].id",
    toSnapshot: newOrganizationWith(() => ({
      keys: (newOrganization.keys ?? []).flatMap((key) => [
        key,
        { ...key, hashData: { ...key.hashData, keyIdHash: `${"M".repeat(42)}A=` } }
      ])
    }))
  },
  {
    title: "a token that occurs twice",
    isInternal: true,
    path: "organizations[0].tokens[1].tokenHash",
    toSnapshot: newOrganizationWith(() => ({
      tokens: (newOrganization.tokens ?? []).flatMap((token) => [token, token])
    }))
  },
  {
    title: "a token id that occurs twice",
    isInternal: true,
    path: "organizations[0].tokens[1].id",
    toSnapshot: newOrganizationWith(() => ({
      tokens: (newOrganization.tokens ?? []).flatMap((token) => [
        { ...token, id: newToken },
        { ...token, id: newToken, tokenHash: `${"S".repeat(42)}A=` }
      ])
    }))
  },
  {
    title: "a dashboard that occurs twice",
    isInternal: true,
    path: "organizations[0].dashboards[1].id",
    toSnapshot: newOrganizationWith(() => ({
      dashboards: (newOrganization.dashboards ?? []).flatMap((each) => [each, each])
    }))
  },
  {
    title: "a service of another organization",
    isInternal: false,
    path: "organizations[0].services[1].id",
    toSnapshot: newOrganizationWith(() => ({
      services: [...(newOrganization.services ?? []), { id: fixtureIds.services.archive, name: "claimed" }]
    }))
  },
  {
    title: "a pipe of another organization",
    isInternal: false,
    path: "organizations[0].services[0].pipes[1].id",
    toSnapshot: newOrganizationWithPipes((pipe) => [pipe, { ...pipe, id: fixtureIds.pipes.kafka }])
  },
  {
    title: "a pipe of another service of its organization",
    isInternal: false,
    path: "organizations[0].services[1].pipes[0].id",
    toSnapshot: ({ organizations: [acme] }) => ({
      organizations: [
        {
          ...newOrganization,
          id: fixtureIds.organizations.acme,
          services: [
            ...(newOrganization.services ?? []),
            ...(acme?.services ?? []).slice(1).map((service) => ({
              ...service,
              pipes: [{ id: fixtureIds.pipes.kafka, serviceId: service.id, name: "moved", state: "Running" }]
            }))
          ]
        }
      ]
    })
  },
  {
    title: "a key of another organization",
    isInternal: false,
    path: "organizations[0].keys[1].hashData.keyIdHash",
    toSnapshot: newOrganizationWith((acme) => ({
      keys: [
        ...(newOrganization.keys ?? []),
        ...(acme.keys ?? [])
          .slice(0, 1)
          .map((key) => ({ ...key, id: ApiKeyId.make("4e700000-0000-4000-8000-00000000bbbb") }))
      ]
    }))
  },
  {
    title: "a key id that another key has",
    isInternal: false,
    path: "organizations[0].keys[0].id",
    toSnapshot: newOrganizationWith(() => ({
      keys: (newOrganization.keys ?? []).map((key) => ({ ...key, id: fixtureIds.keys.developer }))
    }))
  },
  {
    title: "a token of another organization",
    isInternal: false,
    path: "organizations[0].tokens[1].tokenHash",
    toSnapshot: newOrganizationWith((acme) => ({ tokens: [...(newOrganization.tokens ?? []), ...(acme.tokens ?? [])] }))
  },
  {
    title: "a token id that another token has",
    isInternal: false,
    path: "organizations[0].tokens[0].id",
    toSnapshot: newOrganizationWith(() => ({
      tokens: (newOrganization.tokens ?? []).map((token) => ({ ...token, id: fixtureIds.tokens.globex }))
    }))
  },
  {
    title: "a dashboard of another organization",
    isInternal: false,
    path: "organizations[0].dashboards[1].id",
    toSnapshot: newOrganizationWith((acme) => ({
      dashboards: [...(newOrganization.dashboards ?? []), ...(acme.dashboards ?? []).slice(0, 1)]
    }))
  }
]
