import { credentialHash } from "./World.ts"

/** A write that the server acknowledged, with all that is needed to ask for it again. */
export type Write =
  | { readonly kind: "key"; readonly organizationId: string; readonly keyId: string; readonly keySecret: string }
  | { readonly kind: "dashboard"; readonly organizationId: string; readonly id: string; readonly name: string }
  | { readonly kind: "deletion"; readonly organizationId: string; readonly pipeId: string }

/** What a store was found to hold, however it was asked. */
export interface Found {
  /** The credentials that are known, as {@link fingerprint}. */
  readonly credentials: ReadonlySet<string>
  /** Names by id. */
  readonly dashboards: ReadonlyMap<string, string>
  readonly pipes: ReadonlySet<string>
}

/** Tells credentials apart without keeping them. */
export const fingerprint = (keyIdHash: string, keySecretHash: string): string => `${keyIdHash}:${keySecretHash}`

export const fingerprintOf = (keyId: string, keySecret: string): string =>
  fingerprint(credentialHash(keyId), credentialHash(keySecret))

const isHeld = (write: Write, found: Found): boolean => {
  switch (write.kind) {
    case "key":
      return found.credentials.has(fingerprintOf(write.keyId, write.keySecret))
    case "dashboard":
      return found.dashboards.get(write.id) === write.name
    case "deletion":
      return !found.pipes.has(write.pipeId)
  }
}

/** Everything a trial was promised, and what it asked for without getting an answer. */
export class Ledger {
  readonly acknowledged: Array<Write> = []
  /** Pipes whose deletion was asked for, acknowledged or not: the others must still be there. */
  readonly doomedPipes = new Set<string>()
  /** Requests without an answer, because the server was killed under them: they may have been carried out or not. */
  unanswered = 0
  /** Answers that nothing called for, and answers that did not come though the server was not killed. */
  readonly refused: Array<string> = []

  count(kind: Write["kind"]): number {
    return this.acknowledged.filter((write) => write.kind === kind).length
  }

  /** Takes over what another ledger holds. */
  add(other: Ledger): void {
    this.acknowledged.push(...other.acknowledged)
    for (const pipe of other.doomedPipes) this.doomedPipes.add(pipe)
    this.unanswered += other.unanswered
    this.refused.push(...other.refused)
  }

  /**
   * What was promised and is not there, each in words: acknowledged writes that are not held, and, of the pipes named,
   * those that are gone though nobody asked.
   */
  lost(found: Found, pipes: Iterable<string>): ReadonlyArray<string> {
    const writes = this.acknowledged.filter((write) => !isHeld(write, found))
    const vanished = Array.from(pipes).filter((pipe) => !this.doomedPipes.has(pipe) && !found.pipes.has(pipe))
    return [
      ...writes.map(
        (write) => `${write.kind} ${"id" in write ? write.id : "pipeId" in write ? write.pipeId : write.keyId}`
      ),
      ...vanished.map((pipe) => `pipe ${pipe}, which nobody deleted`)
    ]
  }
}
