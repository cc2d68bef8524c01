import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * Counts the rows of a table and the bytes of its column `document` in `organization_usage`, from now on and those that
 * exist. Triggers keep the counts, so that no statement that writes can forget them. The table has a column
 * `organization_id`. A migration that creates such a table calls it.
 */
export const countDocuments = Effect.fnUntraced(function* (table: string, column: string) {
  const sql = yield* SqlClient.SqlClient

  const createTrigger = (name: string, event: string, statement: string) =>
    sql.onDialectOrElse({
      pg: () =>
        Effect.andThen(
          sql.unsafe(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN ${statement}; RETURN NULL; END $$`),
          sql.unsafe(`CREATE TRIGGER ${name} AFTER ${event} ON ${table} FOR EACH ROW EXECUTE FUNCTION ${name}()`)
        ),
      orElse: () => sql.unsafe(`CREATE TRIGGER ${name} AFTER ${event} ON ${table} BEGIN ${statement}; END`)
    })

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
    add(`VALUES (NEW.organization_id, 1, octet_length(NEW.document))`)
  )
  yield* createTrigger(
    `headgate_${table}_updated`,
    "UPDATE OF document",
    `UPDATE organization_usage
      SET document_bytes = document_bytes + octet_length(NEW.document) - octet_length(OLD.document)
      WHERE organization_id = NEW.organization_id`
  )
  yield* createTrigger(
    `headgate_${table}_deleted`,
    "DELETE",
    `UPDATE organization_usage
      SET ${column} = ${column} - 1, document_bytes = document_bytes - octet_length(OLD.document)
      WHERE organization_id = OLD.organization_id`
  )
})
