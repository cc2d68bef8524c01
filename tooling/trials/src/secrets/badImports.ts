import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { credentialHash } from "../load/World.ts"
import { runAndKeep } from "./run.ts"
import { severalAtOnce } from "./severalAtOnce.ts"
import type { Stage } from "./Stage.ts"
import { ids } from "./world.ts"

const hash = credentialHash("x")
const hashData = { keyIdHash: hash, keyIdSuffix: "abcd", keySecretHash: hash }

const organizationWith = (fields: object) => ({ organizations: [{ id: ids.organization, name: "x", ...fields }] })
const keyWith = (fields: object) => organizationWith({ keys: [{ name: "x", roles: [], hashData, ...fields }] })

/** Documents that cannot be imported, each with a secret where none belongs. */
const badSnapshots: Readonly<Record<string, (secret: string) => unknown>> = {
  "a key's secret": (secret) => keyWith({ keySecret: secret }),
  "a secret for its hash": (secret) => keyWith({ hashData: { ...hashData, keySecretHash: secret } }),
  "a key ID for its hash": (secret) => keyWith({ hashData: { ...hashData, keyIdHash: secret } }),
  "a secret for hashData": (secret) => keyWith({ hashData: secret }),
  "a secret for a role": (secret) => keyWith({ roles: [secret] }),
  "a secret for an expiry": (secret) => keyWith({ expireAt: secret }),
  "a secret for an address": (secret) => keyWith({ ipAccessList: [{ source: secret }] }),
  "a token for its hash": (secret) => organizationWith({ tokens: [{ name: "x", tokenHash: secret }] }),
  "a token beside its hash": (secret) => organizationWith({ tokens: [{ name: "x", tokenHash: hash, token: secret }] }),
  "a token for a name": (secret) => organizationWith({ tokens: [{ name: secret.repeat(20), tokenHash: hash }] }),
  "a secret for an organization": (secret) => ({ organizations: [secret] }),
  "a secret for all": (secret) => secret,
  "a connectionString in a list": (secret) =>
    organizationWith({
      services: [
        {
          id: ids.service,
          name: "x",
          pipes: [
            {
              id: ids.pipe,
              serviceId: ids.service,
              name: "x",
              state: "x",
              source: { objectStorage: { connectionString: [secret] } }
            }
          ]
        }
      ]
    }),
  "a connectionString in a bad pipe": (secret) =>
    organizationWith({
      services: [{ id: ids.service, name: "x", pipes: [{ source: { objectStorage: { connectionString: secret } } }] }]
    })
}

/** Files that a server is told to read and cannot: what is wrong is said, what stands in them is not. */
export const badImports = async (stage: Stage): Promise<void> => {
  const { directory, marks, server: script } = stage
  const home = directory()
  const refuse = async (name: string, file: string) => {
    const args = ["--memory", "--port", "0", "--import", file, "--log-level", "all"]
    await runAndKeep(stage, `import of ${name}`, script, { args })
  }
  await severalAtOnce(
    stage,
    Object.entries(badSnapshots).map(([name, make], index) => {
      const file = join(home, `snapshot-${index}.json`)
      writeFileSync(file, JSON.stringify(make(marks.plant(`import: ${name}`).value)))
      return () => refuse(name, file)
    })
  )
  const cutOff = marks.plant("import: a document that is no JSON").value
  const file = join(home, "snapshot.json")
  writeFileSync(file, `{"organizations":[{"keySecret":"${cutOff}`)
  await refuse("what is no JSON", file)
  const folder = join(home, "folder")
  mkdirSync(folder)
  await refuse("a folder", folder)
  await refuse("no file", join(home, "absent.json"))

  const credentials = join(home, "credentials.json")
  const inCredentials = marks.plant("a credentials file that is none").value
  writeFileSync(credentials, `[{"keySecret":"${inCredentials}"`)
  await runAndKeep(stage, "a broken credentials file", script, {
    args: ["--memory", "--port", "0", "--credentials-file", credentials, "--log-level", "all"]
  })
  const data = join(home, "data")
  mkdirSync(data)
  const inData = marks.plant("a database that is none").value
  writeFileSync(join(data, "headgate.sqlite"), inData.repeat(100))
  chmodSync(data, 0o700)
  await runAndKeep(stage, "a broken database", script, { args: ["export", "--data", data, "--log-level", "all"] })
}
