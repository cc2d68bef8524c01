import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

const millisOf = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

const shape = /^(\d{1,6})(ms|[smhdw])$/

const isUnit = (unit: string): unit is keyof typeof millisOf => Object.hasOwn(millisOf, unit)

const millis = (text: string): number => {
  const [, amount = "", unit = ""] = shape.exec(text) ?? []
  return isUnit(unit) ? Number(amount) * millisOf[unit] : 0
}

/** A duration as users type it: `500ms`, `30s`, `5m`, `12h`, `90d`, `2w`. */
export const ShortDuration = Schema.String.check(
  Schema.isPattern(shape, { message: "Expected a duration such as 500ms, 30s, 5m, 12h or 90d" }),
  Schema.makeFilter((text: string) => !shape.test(text) || millis(text) > 0 || "Expected a duration longer than 0")
).pipe(
  Schema.decodeTo(
    Schema.Duration,
    SchemaTransformation.transform({
      decode: (text) => Duration.millis(millis(text)),
      encode: (duration) => `${Duration.toMillis(duration)}ms`
    })
  )
)
