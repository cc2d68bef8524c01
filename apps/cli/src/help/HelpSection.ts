import * as Context from "effect/Context"

/** A part of a command's help beside what its flags and subcommands say by themselves. */
export interface HelpSection {
  readonly title: string
  readonly rows: ReadonlyArray<readonly [left: string, right: string]>
}

/** The further sections of a command's help: an annotation. */
export const HelpSections = Context.Reference<ReadonlyArray<HelpSection>>("headgate/help/HelpSections", {
  defaultValue: () => []
})
