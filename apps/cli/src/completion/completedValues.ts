import type { Completed } from "@headgate/command-line"

/** What a shell completes for a flag or an argument, by its name. */
export const completedValues: Readonly<Record<string, Completed>> = {
  "--file": "file",
  "--dir": "directory",
  "--secrets-dir": "directory",
  "--from-pipe": { list: "pipe" },
  "--profile": { list: "profile" },
  "--organization": { list: "organization" },
  "--service": { list: "service" },
  // The argument of `profile use` and `profile delete`.
  "<name>": { list: "profile" },
  "<pipe-id>": { list: "pipe" },
  "<endpoint-id>": { list: "private-endpoint" },
  // The argument of every command on one key.
  "<id>": { list: "key" },
  "<role-id>": { list: "role" },
  // A file, or a dashboard of the service.
  "<dashboard>": "file",
  "<dashboard-id>": { list: "dashboard" },
  "<connection-id>": { list: "connection" },
  "<source-id>": { list: "source" },
  "<saved-search-id>": { list: "saved-search" },
  "<webhook-id>": { list: "webhook" },
  "<alert-id>": { list: "alert" }
}
