import { assert, describe, it } from "@effect/vitest"
import { Webhook, type WebhookCreate, WebhookId, Webhooks } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { fixtureDocuments } from "../fixtures/documents.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { failsWith } from "../internal/failsWith.ts"
import type { LawsOptions } from "../LawsOptions.ts"
import { documentLaws } from "./documentLaws.ts"

const { acme } = fixtureIds.organizations

/** Fields that are not in the contract are dropped. */
const unknownFields = { futureLevel: [0.5, { a: true }] }

const url = "https://hooks.example.com/T0/p\0ssword 🚰"
const long = "x".repeat(8192)

const privateUrls = [
  "http://10.0.0.1/webhook",
  "http://127.1/",
  "http://0x7f000001/",
  "http://2130706433/",
  "http://169.254.169.254/latest",
  "http://172.31.255.255/",
  "http://192.168.0.1:8080/",
  "http://100.64.0.1/",
  "http://0.0.0.0/",
  "http://224.0.0.1/",
  "http://localhost:8123/",
  "http://a.localhost./",
  "http://[::1]/",
  "http://[::]/",
  "http://[fd00::1]/webhook",
  "http://[fe80::1]/",
  "http://[::ffff:10.0.0.1]/",
  "http://[64:ff9b::10.0.0.1]/",
  "http://[64:ff9b:1::8.8.8.8]/",
  "http://[64:ff9b:1:ffff::8.8.8.8]/",
  "http://[2002:7f00:1::]/",
  "http://[2002:c0a8:101::1]/",
  "http://[2001:0:1:1:1:1:80ff:fffe]/",
  "http://[2001:2::1]/",
  "http://[2001:db8::1]/",
  "http://[3fff:fff::1]/",
  "http://192.88.99.1/"
]

const publicUrls = [
  "http://8.8.8.8/",
  "http://172.32.0.1/",
  "https://[2606:4700:4700::1111]/",
  "http://[64:ff9b::8.8.8.8]/",
  "http://[2002:808:808::1]/",
  "http://[2001:200::1]/",
  "https://10.example.com/"
]

const minimal = { name: "small", service: "slack", url: Redacted.make("https://hooks.slack.com/services/T0") } as const
const webhook = { name: "new", service: "generic", description: "größe 🚰", body: "{{title}}" } as const
const generic = { ...webhook, url: Redacted.make(url) }
const entries = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`a${index}`, "v"]))
const wrong: ReadonlyArray<readonly [path: string, request: WebhookCreate]> = [
  ["name", { ...minimal, name: "" }],
  ["name", { ...minimal, name: "x".repeat(1025) }],
  ["service", { ...minimal, service: JSON.parse('"mail"') }],
  ["description", { ...minimal, description: "x".repeat(2049) }],
  ["body", { ...generic, body: "x".repeat(16_385) }],
  ...["not-a-url", "ftp://example.com", `https://example.com/${"a".repeat(2049)}`, ...privateUrls].map(
    (bad) => ["url", { ...minimal, url: Redacted.make(bad) }] as const
  ),
  ...[
    { long },
    { "x@y": "v" },
    { "x:y": "v" },
    { "1x": "v" },
    { "": "v" },
    { x: "a\nb" },
    { x: long.slice(4095) },
    entries
  ].map(
    (bad) => ["headers", { ...generic, headers: Redacted.make<{ readonly [name: string]: string }>(bad) }] as const
  ),
  ...[{ long }, { "a\nb": "v" }, { "": "v" }, { x: "a\r\nb" }, entries].map(
    (bad) =>
      ["queryParams", { ...generic, queryParams: Redacted.make<{ readonly [name: string]: string }>(bad) }] as const
  ),
  ["headers", { ...minimal, headers: Redacted.make({ a: "b" }) }],
  ["queryParams", { ...minimal, queryParams: Redacted.make({ a: "b" }) }],
  ["body", { ...minimal, body: "x" }]
]

const besideLaws = (options: LawsOptions<Webhooks>): void => {
  describe(`${options.name}: laws of webhooks beside others`, () => {
    const law = (title: string, body: Effect.Effect<unknown, unknown, Webhooks>) =>
      it.live(title, () =>
        Effect.flatMap(fixtureSnapshot, (snapshot) =>
          Effect.asVoid(Effect.provide(body, options.layer(snapshot, acme)))
        )
      )

    law(
      "validate tells what is wrong with the fields, answers no secret and stores nothing",
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const before = yield* webhooks.list()
        const sent = { ...webhook, url, headers: { a: "secret" }, hedaers: { a: "secret" } }
        const { errors, normalized, valid } = yield* webhooks.validate(sent)
        assert.deepStrictEqual([valid, errors, normalized], [true, [], webhook])
        const refused = yield* webhooks.validate({ ...webhook, name: "", url: long })
        assert.deepStrictEqual([refused.valid, refused.normalized], [false, null])
        assert.deepStrictEqual(
          refused.errors.map(({ path }) => path),
          ["name"]
        )
        assert.deepStrictEqual(
          (yield* webhooks.validate({ ...webhook, url: "http://localhost" })).errors.map(({ path }) => path),
          ["url"]
        )
        assert.strictEqual((yield* webhooks.list()).length, before.length)
      })
    )

    law(
      "a public address is accepted",
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        for (const publicUrl of publicUrls) {
          yield* webhooks.create({ ...minimal, name: publicUrl, url: Redacted.make(publicUrl) })
        }
      })
    )

    law(
      "no two webhooks have one service and name, and a webhook keeps its own",
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const { id } = yield* webhooks.create(minimal)
        const other = yield* webhooks.create({ ...minimal, service: "incidentio" })
        yield* webhooks.update({ webhookId: id }, minimal)
        for (const call of [
          webhooks.create({ ...minimal, name: " small" }),
          webhooks.update({ webhookId: other.id }, minimal)
        ]) {
          assert.include((yield* failsWith(call, "InvalidRequest")).message, "already exists")
        }
      })
    )

    law(
      "of concurrent requests for one name one creates a webhook",
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const one = Effect.match(webhooks.create(minimal), { onFailure: ({ _tag }) => _tag, onSuccess: () => "done" })
        const outcomes = yield* Effect.forEach(Array.from({ length: 5 }), () => one, { concurrency: "unbounded" })
        assert.deepStrictEqual(outcomes.toSorted(), [...Array.from({ length: 4 }, () => "InvalidRequest"), "done"])
      })
    )

    law(
      "a webhook that an alert is sent to is not deleted",
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const address = { webhookId: WebhookId.make(fixtureDocuments.webhooks.acme[1].id) }
        const { message } = yield* failsWith(webhooks.delete(address), "Conflict")
        assert.include(message, "still reference")
        assert.include(message, fixtureDocuments.alerts.acme[0].id)
        yield* webhooks.get(address)
      })
    )
  })
}

/** The laws of the `Webhooks` port, as `connectionsLaws`. */
export const webhooksLaws = (options: LawsOptions<Webhooks>): void => {
  documentLaws<Webhooks, { readonly webhookId: WebhookId }, WebhookCreate, Webhook>(
    {
      port: Webhooks.useSync((webhooks) => webhooks),
      title: "Webhooks",
      fixture: fixtureDocuments.webhooks,
      hasTimes: true,
      addressOf: (id) => ({ webhookId: WebhookId.make(id) }),
      notFound: "WebhookNotFound",
      encode: Schema.encodeSync(Webhook),
      full: [
        {
          ...generic,
          headers: Redacted.make({ authorization: "secret" }),
          queryParams: Redacted.make({ token: "secret" }),
          ...unknownFields
        },
        { ...webhook, url }
      ],
      minimal: [
        { ...minimal, name: " small ", description: null, headers: null },
        { ...minimal, url: Redacted.value(minimal.url) }
      ],
      wrong
    },
    options
  )
  besideLaws(options)
}
