import type { Answer, Call } from "@headgate/harness/JsonClient"
import { credentialHash, type Organization } from "@headgate/harness/Snapshot"
import type { Verdict } from "@headgate/harness/Verdict"

/** What the writes of a load are: resources that are created, and pipes that are renamed, stopped or deleted. */
const writeKinds = ["key", "dashboard", "pipe", "rename", "stop", "deletion"] as const

/** A write that the server acknowledged, with what is needed to read it back. */
export type Write =
  | { readonly kind: "key"; readonly organizationId: string; readonly keyId: string; readonly keySecret: string }
  | {
      readonly kind: "dashboard" | "pipe" | "rename"
      readonly organizationId: string
      readonly id: string
      readonly name: string
    }
  | { readonly kind: "stop" | "deletion"; readonly organizationId: string; readonly id: string }

/** A request that writes, and what its answer acknowledges. */
export interface Attempt {
  readonly call: Call
  /** The write that a 200 acknowledges: a store must have it from then on. */
  readonly promised: (answer: Answer) => Write
}

/** What a store holds. */
export interface Found {
  /** The credentials that it knows, as {@link fingerprint}. */
  readonly credentials: ReadonlySet<string>
  /** Names by id. */
  readonly dashboards: ReadonlyMap<string, string>
  readonly pipes: ReadonlyMap<string, { readonly name: string; readonly state: string }>
  /** The names of its keys: credentials tell nothing of a second key that was made for one request. */
  readonly keyNames: ReadonlyArray<string>
}

/** Identifies credentials by their hashes. */
export const fingerprint = (keyIdHash: string, keySecretHash: string): string => `${keyIdHash}:${keySecretHash}`

export const fingerprintOf = (keyId: string, keySecret: string): string =>
  fingerprint(credentialHash(keyId), credentialHash(keySecret))

/** An organization with pipes that a trial may change or delete and one that it leaves as it is. */
export interface WrittenOrganization extends Organization {
  /** Never changed: reading it shows whether credentials are accepted. */
  readonly keptPipe: string
  readonly pipes: ReadonlyArray<string>
}

const isHeld = (write: Write, found: Found): boolean => {
  switch (write.kind) {
    case "key":
      return found.credentials.has(fingerprintOf(write.keyId, write.keySecret))
    case "dashboard":
      return found.dashboards.get(write.id) === write.name
    case "pipe":
    case "rename":
      return found.pipes.get(write.id)?.name === write.name
    case "stop":
      return ["Stopping", "Stopped"].includes(found.pipes.get(write.id)?.state ?? "")
    case "deletion":
      return !found.pipes.has(write.id)
  }
}

const nameOf = (write: Write): string => `${write.kind} ${"id" in write ? write.id : write.keyId}`

/** The writes that a load requested and what came of them. */
export class Ledger {
  readonly acknowledged: Array<Write> = []
  /** Pipes whose deletion was requested, acknowledged or not: all others must still be there. */
  readonly requestedDeletions = new Set<string>()
  /** Requests without an answer because the server was killed: each may have been carried out or not. */
  unanswered = 0
  /** Those of them that have an `Idempotency-Key`: they may be sent again. */
  readonly repeatable: Array<Attempt> = []
  /** How many were sent again and answered. */
  repeated = 0
  /** The names of all creations with an `Idempotency-Key`: each may be there once. */
  readonly onceOnly = new Set<string>()
  /** Errors that a server answered, and missing answers of a server that was not killed. */
  readonly failed: Array<string> = []

  count(kind: Write["kind"]): number {
    return this.acknowledged.filter((write) => write.kind === kind).length
  }

  add(other: Ledger): void {
    this.acknowledged.push(...other.acknowledged)
    for (const pipe of other.requestedDeletions) this.requestedDeletions.add(pipe)
    this.unanswered += other.unanswered
    this.repeated += other.repeated
    for (const name of other.onceOnly) this.onceOnly.add(name)
    this.failed.push(...other.failed)
  }

  /** Acknowledged writes that are not in the store, and pipes that are gone although their deletion was not requested. */
  lost(found: Found, organizations: Iterable<Pick<WrittenOrganization, "keptPipe" | "pipes">>): ReadonlyArray<string> {
    const pipes = Array.from(organizations).flatMap(({ keptPipe, pipes }) => [keptPipe, ...pipes])
    return [
      ...this.acknowledged.filter((write) => !isHeld(write, found)).map(nameOf),
      ...pipes
        .filter((pipe) => !this.requestedDeletions.has(pipe) && !found.pipes.has(pipe))
        .map((pipe) => `pipe ${pipe}, which nobody deleted`)
    ]
  }

  /** The names of creations with an `Idempotency-Key` that the store holds more than once. */
  doubled({ dashboards, keyNames, pipes }: Found): ReadonlyArray<string> {
    const names = [...keyNames, ...dashboards.values(), ...Array.from(pipes.values(), ({ name }) => name)]
    const seen = new Set<string>()
    return names.filter((name) => {
      const isDoubled = this.onceOnly.has(name) && seen.has(name)
      seen.add(name)
      return isDoubled
    })
  }

  /** `4603 keys, 6429 dashboards, 811 pipes, 402 renames, 405 stops, 406 deletions` */
  summary(): string {
    return writeKinds.map((kind) => `${this.count(kind)} ${kind}s`).join(", ")
  }

  /** Notes failed writes, and a load so small that it proves nothing about the fault. */
  judge(verdict: Verdict, fault: string, fewestWrites: number): void {
    verdict.none(this.failed, `${fault}: writes that failed on a server that was not killed`)
    for (const kind of writeKinds) {
      verdict.hold(this.count(kind) > 0, `${fault}: no ${kind} was acknowledged: nothing is proved about it`)
    }
    const { length } = this.acknowledged
    verdict.hold(
      length >= fewestWrites,
      `${fault}: only ${length} writes were acknowledged, fewer than ${fewestWrites}`
    )
  }
}

/** Notes lost and doubled writes, each once in the total, however often a check finds it. */
export class LossCheck {
  readonly lost = new Set<string>()
  readonly doubled = new Set<string>()
  private readonly verdict: Verdict

  constructor(verdict: Verdict) {
    this.verdict = verdict
  }

  check(ledger: Ledger, found: Found, organizations: ReadonlyArray<WrittenOrganization>, when: string): void {
    const missing = ledger.lost(found, organizations)
    for (const one of missing) this.lost.add(one)
    this.verdict.none(missing, `lost, ${when}`)
    const doubled = ledger.doubled(found)
    for (const one of doubled) this.doubled.add(one)
    this.verdict.none(doubled, `created twice under one Idempotency-Key, ${when}`)
  }
}
