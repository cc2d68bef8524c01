import * as Context from "effect/Context"
import { constTrue } from "effect/Function"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Tracer from "effect/Tracer"
import * as HttpClient from "effect/http/HttpClient"

// The span of the call itself has a parent only where somebody made one around it.
const isPartOfTrace = (span: Tracer.AnySpan): boolean => span._tag === "ExternalSpan" || Option.isSome(span.parent)

/** Whether somebody sees the client span of an attempt: a `Tracer` is provided, or the call is part of a trace. */
export const isSeen = (context: Context.Context<never>): boolean => {
  if (Predicate.isNotUndefined(Context.getOrUndefined(context, Tracer.Tracer))) return true
  const span = Context.getOrUndefined(context, Tracer.ParentSpan)
  return span !== undefined && isPartOfTrace(span)
}

/**
 * Makes a client span for an attempt, and sends `traceparent`, only where a `Tracer` is provided or the call is part of
 * a trace: a span that nobody sees is a fifth of what a request costs.
 */
export const clientSpanWhereSeen = (context: Context.Context<never>): Context.Context<never> =>
  isSeen(context) ? context : Context.add(context, HttpClient.TracerDisabledWhen, constTrue)
