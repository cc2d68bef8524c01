import { escapeTerminalLine, write } from "@headgate/command-line"
import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"

/** What can be completed. */
interface Element {
  readonly id: string
  readonly name?: string | null | undefined
  readonly description?: string | null | undefined
}

// More make no useful menu.
const maxCandidates = 500

// A candidate is one line, which the shell puts into the command line: a flag or a control character has no place there.
const isCandidate = (text: string): boolean => text !== "" && !text.startsWith("-") && escapeTerminalLine(text) === text

/**
 * The ids and the names of elements, a line each, with its description after a tab. A name that several have is left out.
 * Those that begin with what is typed come first.
 */
const candidateLines = (elements: ReadonlyArray<Element>, typed: string): string => {
  const names = elements.map(({ name }) => name ?? "").toSorted()
  const repeated = new Set(names.filter((name, index) => name === names[index + 1]))
  const all = [
    ...elements.flatMap(({ id, name }) => (name && !repeated.has(name) ? [[name, id]] : [])),
    ...elements.map(({ description, id, name }) => [id, name ?? description ?? ""])
  ].filter(([value = ""]) => isCandidate(value))
  const isFirst = ([value = ""]: ReadonlyArray<string>) => value.startsWith(typed)
  return [...all.filter(isFirst), ...all.filter((one) => !isFirst(one))]
    .slice(0, maxCandidates)
    .map((columns) => columns.map(escapeTerminalLine).join("\t").trimEnd())
    .join("\n")
}

/** `headgate complete-values <list>`: prints what can be completed. */
export const valuesCommand = <const Name extends string, E, R>(
  name: Name,
  list: Effect.Effect<ReadonlyArray<Element>, E, R>
) =>
  Command.make(
    name,
    { typed: Argument.String("typed").pipe(Argument.withDefault("")) },
    Effect.fnUntraced(function* ({ typed }) {
      const lines = candidateLines(yield* list, typed)
      if (lines !== "") yield* write(lines)
    })
  )
