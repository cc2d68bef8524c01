import { ApiKeyId, DashboardId, OrganizationId, type Pipe, PipeId, ServiceId, type Snapshot } from "@headgate/core"
import { type OrganizationSnapshot, TokenId } from "@headgate/core/adapter"
import { fixtureIds } from "../fixtures/ids.ts"

/** A snapshot that contradicts itself, or the fixture that the store holds. */
interface Contradiction {
  readonly title: string
  /** Whether it contradicts itself, whatever the store holds. */
  readonly ofItself: boolean
  /** Where it does. */
  readonly path: string
  readonly toSnapshot: (fixture: Snapshot) => Snapshot
}

const newcomerService = ServiceId.make("5e000000-0000-4000-8000-00000000aaaa")

const newcomerToken = TokenId.make("70ce0000-0000-4000-8000-00000000aaaa")

/**
 * Something of every kind that the store does not hold, under an organization it does not hold either: what must not be
 * stored when the snapshot is refused.
 */
export const newcomer: OrganizationSnapshot = {
  id: OrganizationId.make("0a0b0c0d-0000-4000-8000-00000000aaaa"),
  name: "newcomer",
  services: [
    {
      id: newcomerService,
      name: "newcomer",
      pipes: [
        {
          id: PipeId.make("b1be0000-0000-4000-8000-00000000aaaa"),
          serviceId: newcomerService,
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

/** The newcomer with what it lays claim to. */
const claiming =
  (claim: (acme: OrganizationSnapshot) => Partial<OrganizationSnapshot>) =>
  ({ organizations: [acme] }: Snapshot): Snapshot => ({
    organizations: [{ ...newcomer, ...(acme === undefined ? {} : claim(acme)) }]
  })

const claimingPipes = (pipes: (newPipe: Pipe, acme: OrganizationSnapshot) => ReadonlyArray<Pipe>) =>
  claiming((acme) => ({
    services: (newcomer.services ?? []).map((service) => ({
      ...service,
      pipes: (service.pipes ?? []).flatMap((pipe) => pipes(pipe, acme))
    }))
  }))

export const contradictions: ReadonlyArray<Contradiction> = [
  {
    title: "an organization that stands twice",
    ofItself: true,
    path: "organizations[1].id",
    toSnapshot: () => ({ organizations: [newcomer, { id: newcomer.id, name: "again" }] })
  },
  {
    title: "a service that stands twice",
    ofItself: true,
    path: "organizations[0].services[1].id",
    toSnapshot: claiming(() => ({
      services: [...(newcomer.services ?? []), { id: newcomerService, name: "again" }]
    }))
  },
  {
    title: "a pipe that stands twice",
    ofItself: true,
    path: "organizations[0].services[0].pipes[1].id",
    toSnapshot: claimingPipes((pipe) => [pipe, { ...pipe, name: "again" }])
  },
  {
    title: "a pipe that names another service than it stands in",
    ofItself: true,
    path: "organizations[0].services[0].pipes[0].serviceId",
    toSnapshot: claimingPipes((pipe) => [{ ...pipe, serviceId: fixtureIds.services.ingest }])
  },
  {
    title: "a key that stands twice",
    ofItself: true,
    path: "organizations[0].keys[1].hashData.keyIdHash",
    toSnapshot: claiming(() => ({
      keys: (newcomer.keys ?? []).flatMap((key) => [
        key,
        { ...key, id: ApiKeyId.make("4e700000-0000-4000-8000-00000000bbbb") }
      ])
    }))
  },
  {
    title: "a key id that stands twice",
    ofItself: true,
    path: "organizations[0].keys[1].id",
    toSnapshot: claiming(() => ({
      keys: (newcomer.keys ?? []).flatMap((key) => [
        key,
        { ...key, hashData: { ...key.hashData, keyIdHash: `${"M".repeat(42)}A=` } }
      ])
    }))
  },
  {
    title: "a token that stands twice",
    ofItself: true,
    path: "organizations[0].tokens[1].tokenHash",
    toSnapshot: claiming(() => ({ tokens: (newcomer.tokens ?? []).flatMap((token) => [token, token]) }))
  },
  {
    title: "a token id that stands twice",
    ofItself: true,
    path: "organizations[0].tokens[1].id",
    toSnapshot: claiming(() => ({
      tokens: (newcomer.tokens ?? []).flatMap((token) => [
        { ...token, id: newcomerToken },
        { ...token, id: newcomerToken, tokenHash: `${"S".repeat(42)}A=` }
      ])
    }))
  },
  {
    title: "a dashboard that stands twice",
    ofItself: true,
    path: "organizations[0].dashboards[1].id",
    toSnapshot: claiming(() => ({ dashboards: (newcomer.dashboards ?? []).flatMap((each) => [each, each]) }))
  },
  {
    title: "a service that is another organization's",
    ofItself: false,
    path: "organizations[0].services[1].id",
    toSnapshot: claiming(() => ({
      services: [...(newcomer.services ?? []), { id: fixtureIds.services.archive, name: "claimed" }]
    }))
  },
  {
    title: "a pipe that is another organization's",
    ofItself: false,
    path: "organizations[0].services[0].pipes[1].id",
    toSnapshot: claimingPipes((pipe) => [pipe, { ...pipe, id: fixtureIds.pipes.kafka }])
  },
  {
    title: "a pipe that stands in another service of its organization",
    ofItself: false,
    path: "organizations[0].services[1].pipes[0].id",
    toSnapshot: ({ organizations: [acme] }) => ({
      organizations: [
        {
          ...newcomer,
          id: fixtureIds.organizations.acme,
          services: [
            ...(newcomer.services ?? []),
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
    title: "a key that is another organization's",
    ofItself: false,
    path: "organizations[0].keys[1].hashData.keyIdHash",
    toSnapshot: claiming((acme) => ({
      keys: [
        ...(newcomer.keys ?? []),
        ...(acme.keys ?? [])
          .slice(0, 1)
          .map((key) => ({ ...key, id: ApiKeyId.make("4e700000-0000-4000-8000-00000000bbbb") }))
      ]
    }))
  },
  {
    title: "a key id that another key has",
    ofItself: false,
    path: "organizations[0].keys[0].id",
    toSnapshot: claiming(() => ({
      keys: (newcomer.keys ?? []).map((key) => ({ ...key, id: fixtureIds.keys.developer }))
    }))
  },
  {
    title: "a token that is another organization's",
    ofItself: false,
    path: "organizations[0].tokens[1].tokenHash",
    toSnapshot: claiming((acme) => ({ tokens: [...(newcomer.tokens ?? []), ...(acme.tokens ?? [])] }))
  },
  {
    title: "a token id that another token has",
    ofItself: false,
    path: "organizations[0].tokens[0].id",
    toSnapshot: claiming(() => ({
      tokens: (newcomer.tokens ?? []).map((token) => ({ ...token, id: fixtureIds.tokens.globex }))
    }))
  },
  {
    title: "a dashboard that is another organization's",
    ofItself: false,
    path: "organizations[0].dashboards[1].id",
    toSnapshot: claiming((acme) => ({
      dashboards: [...(newcomer.dashboards ?? []), ...(acme.dashboards ?? []).slice(0, 1)]
    }))
  }
]
