import { write } from "@headgate/command-line"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { onMachine } from "../settings/withPorts.ts"
import { scripts, shells } from "./scripts.ts"

/** `headgate completion <shell>`. bin/headgate.mjs answers it without this file, if it is the whole command line. */
export const command = Command.make(
  "completion",
  { shell: Argument.Literals("shell", shells).pipe(Argument.withDescription("The shell: bash, zsh or fish")) },
  ({ shell }) => write(scripts[shell])
).pipe(
  Command.withExamples([
    { command: "source <(headgate completion bash)", description: "In ~/.bashrc" },
    { command: "source <(headgate completion zsh)", description: "In ~/.zshrc, after compinit" },
    { command: "headgate completion fish | source", description: "In ~/.config/fish/config.fish" }
  ]),
  onMachine
)
