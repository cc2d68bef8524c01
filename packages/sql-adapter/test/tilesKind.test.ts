import { assert, it } from "@effect/vitest"
import { OrganizationId } from "@headgate/core"
import { OrganizationDashboards, Tiles, type TilesKind } from "@headgate/core/adapter"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlAdapter } from "../src/index.ts"
import { importOrganizations } from "./support/importOrganizations.ts"

const organizationId = OrganizationId.make("0a0b0c0d-0000-4000-8000-000000000001")

const inDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "headgate-tiles-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true }))
)

const opened = (filename: string, tiles?: TilesKind) =>
  Layer.fresh(SqlAdapter.layerSqlite({ filename })).pipe(
    Layer.provide(tiles === undefined ? Layer.empty : Layer.succeed(Tiles, tiles))
  )

const create = Effect.andThen(
  importOrganizations(organizationId),
  OrganizationDashboards.use((dashboards) => dashboards.of(organizationId).create({ name: "x", tiles: [] }))
)
const open = Effect.void

it.live("a store with dashboards keeps its kind of tiles, and refuses the other one with both ways out", () =>
  Effect.gen(function* () {
    const filename = join(yield* inDirectory, "store.sqlite")
    yield* Effect.provide(create, opened(filename, "series"))
    const error = yield* Effect.flip(Effect.provide(open, opened(filename, "config")))
    assert.include(error.message, "--dialect neutral")
    assert.include(error.message, "export")
    yield* Effect.provide(create, opened(filename, "series"))
    // The operator's commands open any store.
    yield* Effect.provide(open, opened(filename))
  })
)

it.live("a store without dashboards takes the kind of the next server", () =>
  Effect.gen(function* () {
    const filename = join(yield* inDirectory, "store.sqlite")
    yield* Effect.provide(open, opened(filename, "series"))
    const { id } = yield* Effect.provide(create, opened(filename, "config"))
    assert.match(id, /^[0-9a-f]{24}$/)
    const error = yield* Effect.flip(Effect.provide(open, opened(filename, "series")))
    assert.include(error.message, "--dialect clickhouse")
  })
)

it.live("an import before the first server leaves the kind to that server", () =>
  Effect.gen(function* () {
    const filename = join(yield* inDirectory, "store.sqlite")
    yield* Effect.provide(create, opened(filename))
    yield* Effect.provide(open, opened(filename, "config"))
    const error = yield* Effect.flip(Effect.provide(open, opened(filename, "series")))
    assert.include(error.message, "--dialect clickhouse")
  })
)
