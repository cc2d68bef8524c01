import * as Context from "effect/Context"
import * as MutableRef from "effect/MutableRef"
import type { ChosenRule } from "./Faults.ts"
import type { JournalPage } from "./Journal.ts"

/** What is written down of the exchange under way, and the fault that it got. */
export interface ObservedExchange {
  readonly page: JournalPage
  readonly fault: MutableRef.MutableRef<ChosenRule | undefined>
}

const unwritten: JournalPage = { known: () => {}, body: () => {}, fault: () => {}, end: () => {} }

/** Opened where a request arrives, filled where its operation is done. */
export const ObservedExchange = Context.Reference<ObservedExchange>("headgate-server/admin/ObservedExchange", {
  defaultValue: () => ({ page: unwritten, fault: MutableRef.make<ChosenRule | undefined>(undefined) })
})
