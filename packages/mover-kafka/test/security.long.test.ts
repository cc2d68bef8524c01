import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { KafkaSource, type KafkaLogin, type KafkaOptions } from "../src/index.ts"
import { describeKafka, user } from "./support/describeKafka.ts"
import { readTopic } from "./support/readTopic.ts"
import { makeTopic, optionsFor, produce } from "./support/topics.ts"

const login = (mechanism: KafkaLogin["mechanism"], password = user.password): KafkaLogin => ({
  mechanism,
  username: user.name,
  password: Redacted.make(password)
})

const mechanisms = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] as const

describeKafka("secured connections", (kafka) => {
  for (const mechanism of mechanisms) {
    it.live(`authenticate by ${mechanism}, with TLS and without`, () =>
      Effect.gen(function* () {
        const broker = yield* kafka
        const topic = yield* makeTopic(broker)
        yield* produce(broker, topic, [`{"n":0}`])
        const secured: ReadonlyArray<Partial<KafkaOptions>> = [
          { brokers: [broker.sasl], login: login(mechanism) },
          { brokers: [broker.saslTls], login: login(mechanism), tls: { ca: broker.certificate } }
        ]
        for (const options of secured) {
          const source = yield* KafkaSource.make(optionsFor(broker, topic, options))
          assert.deepStrictEqual((yield* readTopic(source)).texts, [`{"n":0}`])
        }
      }).pipe(Effect.scoped)
    )

    it.live(`are refused by ${mechanism} with a wrong password, and no error tells it`, () =>
      Effect.gen(function* () {
        const broker = yield* kafka
        const wrong = "another-password"
        const options = { brokers: [broker.sasl], login: login(mechanism, wrong) }
        const source = yield* KafkaSource.make(optionsFor(broker, "orders", options))
        const error = yield* Effect.flip(source.identity)
        assert.strictEqual(error._tag, "SourceError")
        assert.match(error.message, /authentication failed/iu)
        assert.notInclude(JSON.stringify(error) + String(error.stack), wrong)
        assert.strictEqual(error.field, "credentials")
        assert.notInclude(error.message, user.name)
      }).pipe(Effect.scoped)
    )
  }

  it.live("are encrypted without authentication", () =>
    Effect.gen(function* () {
      const broker = yield* kafka
      const topic = yield* makeTopic(broker)
      yield* produce(broker, topic, [`{"n":0}`])
      const options = { brokers: [broker.tls], tls: { ca: broker.certificate } }
      const source = yield* KafkaSource.make(optionsFor(broker, topic, options))
      assert.deepStrictEqual((yield* readTopic(source)).texts, [`{"n":0}`])
    }).pipe(Effect.scoped)
  )

  it.live("are refused if the CA is another one, or there is none, or one side speaks no TLS", () =>
    Effect.gen(function* () {
      const broker = yield* kafka
      const errorOf = (options: Partial<KafkaOptions>) =>
        Effect.flatMap(KafkaSource.make(optionsFor(broker, "orders", options)), (source) =>
          Effect.map(Effect.flip(source.identity), ({ message }) => message)
        )
      assert.match(yield* errorOf({ brokers: [broker.tls], tls: {} }), /self.signed certificate/iu)
      assert.match(yield* errorOf({ brokers: [broker.tls] }), /requires TLS|connection closed/iu)
      assert.match(yield* errorOf({ brokers: [broker.plain], tls: { ca: broker.certificate } }), /TLS|SSL|timed out/u)
      assert.match(yield* errorOf({ brokers: [broker.sasl] }), /connection|closed|ILLEGAL/iu)
    }).pipe(Effect.scoped)
  )
})
