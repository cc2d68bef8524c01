import { assert, layer } from "@effect/vitest"
import { pipeRequests } from "@headgate/conformance/fixtures"
import { dialectNames, dialects } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import { organizationId, serviceId } from "./support/fullSnapshot.ts"
import { call, serverOver } from "./support/liveServer.ts"
import { overEveryStore } from "./support/stores.ts"
import { as, environment } from "./support/environment.ts"

const { kinesis } = pipeRequests.kinesis.source
const shown = Object.fromEntries(Object.entries({ ...kinesis }).filter(([name]) => name !== "accessKey"))

overEveryStore((store) => {
  for (const name of dialectNames) {
    const dialect = dialects[name]
    layer(serverOver(store, environment, { dialect }), { excludeTestServices: true })(
      `a timestamp of kinesis in the ${name} dialect, over ${store.name}`,
      (it) => {
        const path = `/v1/organizations/${organizationId}/services/${serviceId}/${dialect.pipesSegment}`
        for (const timestamp of [1_769_860_800, "1769860800", "0"]) {
          const answered = name === "clickhouse" ? timestamp : Number(timestamp)
          it.effect(`${JSON.stringify(timestamp)} is answered as ${JSON.stringify(answered)}`, () =>
            Effect.gen(function* () {
              const options = { authorization: as("admin") }
              const body = { ...pipeRequests.kinesis, source: { kinesis: { ...kinesis, timestamp } } }
              const created = yield* call(path, { ...options, body })
              const own = `${path}/${created.json.result.id}`
              const all = yield* call(path, options)
              const answers = [
                created.json.result,
                (yield* call(own, options)).json.result,
                (yield* call(own, { ...options, method: "PATCH", body: { name: "renamed" } })).json.result,
                ...all.json.result.filter(({ id }: { id: string }) => id === created.json.result.id)
              ]
              assert.lengthOf(answers, 4)
              for (const { source } of answers)
                assert.deepStrictEqual(source, { kinesis: { ...shown, timestamp: answered } })
            })
          )
        }

        it.effect("a timestamp that is no number is a 400 that names it", () =>
          Effect.gen(function* () {
            const body = { ...pipeRequests.kinesis, source: { kinesis: { ...kinesis, timestamp: "yesterday" } } }
            const { json, status } = yield* call(path, { authorization: as("admin"), body })
            assert.strictEqual(status, 400)
            assert.include(json.error, "source.kinesis.timestamp: Expected whole seconds since the Unix epoch")
          })
        )
      }
    )
  }
})
