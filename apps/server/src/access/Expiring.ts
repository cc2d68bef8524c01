/** How often what has run out is removed, in milliseconds: until then it is of no use and no harm. */
const sweepEvery = 60_000

/** Values by name, each of use until a time of its own. What has run out does not stay: others that come sweep it away. */
export class Expiring<Value extends { readonly expiresAt: number }> {
  private readonly held = new Map<string, Value>()
  private sweptAt = Number.NEGATIVE_INFINITY

  /** How many are held, those among them that have run out since the last sweep. */
  get size(): number {
    return this.held.size
  }

  get(name: string, now: number): Value | undefined {
    const found = this.held.get(name)
    return found !== undefined && found.expiresAt > now ? found : undefined
  }

  set(name: string, value: Value, now: number): void {
    if (now - this.sweptAt >= sweepEvery) {
      this.sweptAt = now
      for (const [name, { expiresAt }] of this.held) if (expiresAt <= now) this.held.delete(name)
    }
    this.held.set(name, value)
  }

  clear(): void {
    this.held.clear()
  }
}
