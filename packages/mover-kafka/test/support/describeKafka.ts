import { describe } from "@effect/vitest"
import { type KafkaBroker, type KafkaBrokerOptions, kafkaMissing, startKafka } from "@headgate/harness/KafkaBroker"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { generate } from "selfsigned"
import { env } from "node:process"
import { beforeAll } from "vitest"

/** The user that the broker of the tests knows. */
export const user = { name: "alice", password: "the-password-of-alice" }

const issue = Effect.promise(async () => {
  const altNames = [{ type: 7 as const, ip: "127.0.0.1" }]
  const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], {
    keyType: "rsa",
    extensions: [{ name: "subjectAltName", altNames }]
  })
  return { certificate: cert, privateKey: key }
})

/** A broker, and the certificate of its TLS listeners. */
export interface TestKafka extends KafkaBroker {
  readonly certificate: string
}

const startBroker = Effect.gen(function* () {
  const certificate = yield* issue
  const options: KafkaBrokerOptions = { user, certificate }
  return { ...(yield* startKafka(options)), certificate: certificate.certificate } satisfies TestKafka
})

// The files of a worker run one after another and share their modules, so they share the broker, too. It ends with the
// worker.
let running: Promise<TestKafka> | undefined
const start = () => (running ??= Effect.runPromise(Scope.provide(startBroker, Scope.makeUnsafe())))

/**
 * A suite over a Kafka that starts before its first test. `kafka` succeeds within tests, not while the suite is declared.
 * If the machine has no Kafka, the suite is skipped with a message on stderr; with HEADGATE_REQUIRE_KAFKA=1 it fails.
 */
export const describeKafka = (name: string, body: (kafka: Effect.Effect<TestKafka>) => void): void => {
  const reason = kafkaMissing()
  const isRequired = env["HEADGATE_REQUIRE_KAFKA"] === "1"
  const missing = `${name}: NOT TESTED, for ${reason}`
  if (reason !== undefined && !isRequired) console.error(`\n${missing}\n`)

  describe.skipIf(reason !== undefined && !isRequired)(`${name}`, () => {
    let started: TestKafka | undefined
    beforeAll(async () => {
      if (reason !== undefined) throw new Error(`${missing}, and HEADGATE_REQUIRE_KAFKA=1`)
      started = await start()
    }, 300_000)
    body(Effect.suspend(() => (started === undefined ? Effect.die("Kafka has not started") : Effect.succeed(started))))
  })
}
