import { readFileSync } from "node:fs"

type Json = Record<string, any>

/** The sample of `npm start`: four pipes, every field of the contract filled. */
export const sampleFile = new URL("../../../../tooling/toolchain/sample/snapshot.json", import.meta.url)

const sample: Json = JSON.parse(readFileSync(sampleFile, "utf8"))

/** Fields the contract does not know, of every JSON type, as a later version of the service may send them. */
const unknown = {
  aNewText: "x",
  aNewNumber: 1.5,
  aNewNull: null,
  aNewList: [1, { deep: [true] }],
  aNewRecord: { a: {} }
}

const isRecord = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

/** Adds unknown fields to every record of a document, at every depth. */
const withUnknown = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(withUnknown)
    : isRecord(value)
      ? { ...Object.fromEntries(Object.entries(value).map(([key, field]) => [key, withUnknown(field)])), ...unknown }
      : value

const organization = sample["organizations"][0]
const service = organization.services[0]

/**
 * The sample's pipes with unknown fields at every depth, one field null and timestamps in several spellings. Their sources have none:
 * a store seals them.
 */
export const pipes: ReadonlyArray<Json> = service.pipes.map((pipe: Json, index: number) => ({
  ...(withUnknown(pipe) as Json),
  source: pipe["source"],
  createdAt: ["2026-03-02T08:15:30Z", "2026-03-02T08:15:30.123456Z", "2026-03-02T10:15:30+02:00", null][index]
}))

export const organizationId: string = organization.id
export const serviceId: string = service.id

/** The snapshot document of those pipes. */
export const snapshot = {
  organizations: [
    { id: organizationId, name: organization.name, services: [{ id: serviceId, name: service.name, pipes }] }
  ]
}

/** The same document as a client of the other dialect spells it. */
export const inClickhouseDialect = (pipe: Json): Json => ({
  ...pipe,
  settings: Object.fromEntries(
    Object.entries(pipe["settings"]).map(([name, value]) => [name.replace(/^db_/, "clickhouse_"), value])
  )
})
