import * as Duration from "effect/Duration"
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { hostname, uptime } from "node:os"

/** A moment by the clock that counts from the start of a machine. */
export interface BootTime {
  /** Which start of which machine. */
  readonly boot: string
  readonly seconds: number
}

const ofThisProcess = randomUUID()

const readBoot = (): string => {
  try {
    // Containers have the boot ID of their machine, and may have another uptime.
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${hostname()}`
  } catch {
    return ofThisProcess
  }
}

/**
 * The time since this machine has started. It is never set back, goes on while the machine is suspended, and is the same for
 * all processes. Where the machine does not say which start that was (only Linux does), no two processes share it.
 */
export const bootTime = (): BootTime => ({ boot: readBoot(), seconds: uptime() })

/** How long ago a moment was; infinity if it was before the machine's last start, or on another machine. */
export const ageOf = (then: BootTime, now: BootTime): Duration.Duration =>
  then.boot === now.boot && now.seconds >= then.seconds
    ? Duration.seconds(now.seconds - then.seconds)
    : Duration.infinity
