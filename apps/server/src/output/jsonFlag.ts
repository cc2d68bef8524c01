import * as Flag from "effect/cli/Flag"
import { harmlessJson } from "./harmlessJson.ts"

/** `--json`: documents as they are on the wire, for a program that reads them. */
export const jsonFlag = Flag.Boolean("json").pipe(
  Flag.withDescription("Print JSON, every field that is known"),
  Flag.withDefault(false)
)

/** A document as it is printed. */
export const jsonText = (document: unknown): string => harmlessJson(document, 2)
