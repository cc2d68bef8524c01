import { assert, it } from "@effect/vitest"
import { startServer } from "@headgate/harness/PostgresServer"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { getuid } from "node:process"
import { type PostgresOptions, PostgresSource } from "../src/index.ts"
import { describePostgres } from "./support/describePostgres.ts"
import { optionsFor } from "./support/optionsFor.ts"

const host = "db.example.com"

/** An authority, another one, and the certificate of a server that the first one has signed. */
const makeCertificates = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "headgate-tls-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const run = (file: string, ...args: ReadonlyArray<string>) => execFileSync(file, args, { cwd: folder, stdio: "pipe" })
  for (const ca of ["ca", "other"]) {
    run(
      "openssl",
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-days",
      "2",
      "-keyout",
      `${ca}.key`,
      "-out",
      `${ca}.pem`,
      "-subj",
      `/CN=${ca}`
    )
  }
  run(
    "openssl",
    "req",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-keyout",
    "server.key",
    "-out",
    "server.csr",
    "-subj",
    `/CN=${host}`
  )
  writeFileSync(join(folder, "names"), `subjectAltName=DNS:${host}`)
  const signed =
    "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.pem"
  run("openssl", ...signed.split(" "))
  run("chmod", "600", "server.key")
  // Postgres does not run as root, and reads its own key alone.
  if (getuid?.() === 0) run("chown", "-R", "postgres", folder)
  return { folder, read: (name: string) => readFileSync(join(folder, name), "utf8") }
})

describePostgres("TLS to a source", () => {
  it.live("is verified by the CA of the source, and refused by the name of the field that is wrong", () =>
    Effect.gen(function* () {
      const { folder, read } = yield* makeCertificates
      const files = [`ssl_cert_file=${join(folder, "server.pem")}`, `ssl_key_file=${join(folder, "server.key")}`]
      const { port } = yield* startServer(
        ["wal_level=logical", "ssl=on", ...files],
        "hostssl all all 127.0.0.1/32 trust\n"
      )
      const identity = (tls: PostgresOptions["tls"]) => {
        const options = optionsFor({ socket: "127.0.0.1", port, name: "postgres" }, ["t"])
        return PostgresSource.make(tls === undefined ? options : { ...options, tls }).identity
      }
      const message = (tls: PostgresOptions["tls"]) => Effect.map(Effect.flip(identity(tls)), ({ message }) => message)
      const [ca, other] = [read("ca.pem"), read("other.pem")]
      assert.match(yield* identity({ ca, host, isVerified: true }), /^\["\d+","1","postgres"\]$/)
      yield* identity({ isVerified: false })
      assert.match(
        yield* message({ ca: other, host, isVerified: true }),
        /: caCertificate does not verify the server: /
      )
      assert.match(yield* message({ host, isVerified: true }), /: caCertificate does not verify the server: /)
      assert.match(
        yield* message({ ca, host: "other.example.com", isVerified: true }),
        /: tlsHost, or the host, is not /
      )
      assert.match(yield* message({ ca, isVerified: true }), /: tlsHost, or the host, is not /)
      // The server takes no connection without it.
      assert.match(yield* message(undefined), /no encryption/)
    }).pipe(Effect.scoped)
  )
})
