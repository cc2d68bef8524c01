import type { Verdict } from "@headgate/harness/Verdict"
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Place } from "./Place.ts"
import { runPage } from "./runPage.ts"

/** The directories of somebody new. */
export interface Newcomer {
  /** Nothing is in it but a checkout. */
  readonly home: string
  /** Its programs are found before those of the machine. */
  readonly programs: string
}

/** Makes the directories of somebody new. */
export const makeNewcomer = ({ home, programs }: Newcomer): void => {
  mkdirSync(home, { recursive: true })
  mkdirSync(programs, { recursive: true })
  symlinkSync(fileURLToPath(new URL("../../../..", import.meta.url)), join(home, "headgate"))
}

/** Writes a program in shell. */
export const writeProgram = ({ programs }: Newcomer, name: string, lines: ReadonlyArray<string>): void => {
  const path = join(programs, name)
  writeFileSync(path, ["#!/bin/sh", ...lines, ""].join("\n"))
  chmodSync(path, 0o755)
}

/** A page, and the directory in which its commands run. */
export interface PageIn {
  readonly page: string
  readonly directory: string
}

/** Runs pages one after the other. `environment` adds to theirs. Answers how many `steps` were run and outputs compared. */
export const runPages = async (
  pages: ReadonlyArray<PageIn>,
  steps: string,
  { home, programs }: Newcomer,
  place: Place,
  environment: Readonly<Record<string, string>>,
  verdict: Verdict
): Promise<string> => {
  const all = {
    ...environment,
    PATH: [programs, dirname(process.execPath), process.env["PATH"] ?? ""].join(":"),
    HOME: home,
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false"
  }
  let run = 0
  let compared = 0
  for (const { directory, page } of pages) {
    const done = await runPage(page, directory, place, all, verdict)
    run += done.run
    compared += done.compared
  }
  return `${run} steps of ${steps}, ${compared} outputs compared`
}
