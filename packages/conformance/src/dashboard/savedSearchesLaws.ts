import { type SavedSearch, type SavedSearchCreate, SavedSearchId, SavedSearches } from "@headgate/core"
import { fixtureDocuments } from "../fixtures/documents.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSources } from "../fixtures/sources.ts"
import type { LawsOptions } from "../LawsOptions.ts"
import { documentLaws } from "./documentLaws.ts"

const { acme } = fixtureIds.organizations

/** Fields that are not in the contract are dropped. */
const unknownFields = { futureLevel: [0.5, { a: true }] }

/** The laws of the `SavedSearches` port, as `connectionsLaws`. */
export const savedSearchesLaws = (options: LawsOptions<SavedSearches>): void => {
  const minimal = { name: "small", sourceId: fixtureSources.acme[0].id }
  const full = {
    name: "new",
    sourceId: fixtureSources.acme[1].id,
    select: "Timestamp, Body",
    where: "größe:🚰",
    whereLanguage: "sql",
    orderBy: "Timestamp DESC",
    tags: ["größe 🚰"]
  } as const
  const pinned = [
    "ServiceName IN ('checkout', 'pay AND ''x''')",
    "LogAttributes['a b'] NOT IN ('debug', 'trace')",
    "Duration BETWEEN -100 AND 5000.5",
    "`a IN b` IN (1, true)"
  ]
  const filters = pinned.map((condition) => ({ type: "sql", condition }))
  const wrongConditions = [
    "ServiceName = 'checkout'",
    "ServiceName IN ('a') AND foo = 1",
    "A IN ('a') AND B IN ('b')",
    "NOT (A IN ('a'))",
    "A NOT BETWEEN 1 AND 2",
    "A BETWEEN '2024-01-01' AND '2024-02-01'",
    "A IN (SELECT 1)",
    // Quotes that do not end.
    "A = 'b IN (1)",
    "A IN ('a', 'b)",
    'A = "\\',
    "",
    "x".repeat(8193)
  ]
  documentLaws<SavedSearches, { readonly savedSearchId: SavedSearchId }, SavedSearchCreate, SavedSearch>(
    {
      port: SavedSearches.useSync((searches) => searches),
      title: "SavedSearches",
      fixture: fixtureDocuments.savedSearches,
      hasTimes: true,
      addressOf: (id) => ({ savedSearchId: SavedSearchId.make(id) }),
      notFound: "SavedSearchNotFound",
      full: [
        { ...full, filters: [...filters, { condition: "A IN ('a')" }], ...unknownFields },
        { ...full, filters: [...filters, { type: "sql", condition: "A IN ('a')" }], teamId: acme }
      ],
      minimal: [
        { ...minimal, name: " small ", where: null },
        {
          ...minimal,
          select: "",
          where: "",
          whereLanguage: "lucene",
          orderBy: "",
          tags: [],
          filters: [],
          teamId: acme
        }
      ],
      wrong: [
        ["name", { ...minimal, name: "  " }],
        ["name", { ...minimal, name: "x".repeat(1025) }],
        ["select", { ...minimal, select: "x".repeat(4097) }],
        ["where", { ...minimal, where: "x".repeat(8193) }],
        ["orderBy", { ...minimal, orderBy: "x".repeat(1025) }],
        ["whereLanguage", { ...minimal, whereLanguage: JSON.parse('"promql"') }],
        ["tags", { ...minimal, tags: Array.from({ length: 51 }, String) }],
        ["tags[0]", { ...minimal, tags: ["x".repeat(33)] }],
        ["filters", { ...minimal, filters: Array.from({ length: 101 }, () => ({ condition: pinned[0] ?? "" })) }],
        ["filters[0].type", { ...minimal, filters: [{ type: "lucene", condition: "a:b" }] }],
        ...wrongConditions.map(
          (condition) =>
            ["filters[1].condition", { ...minimal, filters: [...filters.slice(0, 1), { condition }] }] as const
        )
      ],
      refused: [fixtureSources.globex[0].id, "none", "a\0b"].map((sourceId) => [
        "sourceId must be an existing source id",
        { ...minimal, sourceId }
      ])
    },
    options
  )
}
