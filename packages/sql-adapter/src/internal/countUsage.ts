import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** The tables with documents, each with its column in `organization_usage`. */
const counted = { api_key: "keys", dashboard: "dashboards", pipe: "pipes" }

/**
 * What each organization holds, in one row: a creation reads it in its transaction instead of counting. Triggers keep it,
 * so that no statement that writes can forget it. In Postgres, the row's lock makes creations of one organization wait
 * for each other, which makes its limits exact between servers.
 */
export const countUsage = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`CREATE TABLE organization_usage (
    organization_id TEXT PRIMARY KEY,
    keys INTEGER NOT NULL DEFAULT 0,
    dashboards INTEGER NOT NULL DEFAULT 0,
    pipes INTEGER NOT NULL DEFAULT 0,
    document_bytes BIGINT NOT NULL DEFAULT 0
  )`

  const createTrigger = (name: string, event: string, table: string, statement: string) =>
    sql.onDialectOrElse({
      pg: () =>
        Effect.andThen(
          sql.unsafe(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN ${statement}; RETURN NULL; END $$`),
          sql.unsafe(`CREATE TRIGGER ${name} AFTER ${event} ON ${table} FOR EACH ROW EXECUTE FUNCTION ${name}()`)
        ),
      orElse: () => sql.unsafe(`CREATE TRIGGER ${name} AFTER ${event} ON ${table} BEGIN ${statement}; END`)
    })

  for (const [table, column] of Object.entries(counted)) {
    const add = (rows: string) => `INSERT INTO organization_usage (organization_id, ${column}, document_bytes)
      ${rows}
      ON CONFLICT (organization_id) DO UPDATE SET ${column} = organization_usage.${column} + excluded.${column},
        document_bytes = organization_usage.document_bytes + excluded.document_bytes`

    yield* sql.unsafe(
      add(
        `SELECT organization_id, COUNT(*), SUM(octet_length(document)) FROM ${table} WHERE TRUE GROUP BY organization_id`
      )
    )
    yield* createTrigger(
      `headgate_${table}_inserted`,
      "INSERT",
      table,
      add(`VALUES (NEW.organization_id, 1, octet_length(NEW.document))`)
    )
    yield* createTrigger(
      `headgate_${table}_updated`,
      "UPDATE OF document",
      table,
      `UPDATE organization_usage
        SET document_bytes = document_bytes + octet_length(NEW.document) - octet_length(OLD.document)
        WHERE organization_id = NEW.organization_id`
    )
    yield* createTrigger(
      `headgate_${table}_deleted`,
      "DELETE",
      table,
      `UPDATE organization_usage
        SET ${column} = ${column} - 1, document_bytes = document_bytes - octet_length(OLD.document)
        WHERE organization_id = OLD.organization_id`
    )
  }
})
