// Puts the jars of Kafka into the cache folder, once: Maven fetches them and what they need. `.ci/run` runs it.
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { stderr } from "node:process"
import { kafkaArtifact, kafkaFolder, kafkaMissing } from "./KafkaBroker.ts"

const { artifactId, groupId, version } = kafkaArtifact
const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>headgate</groupId><artifactId>kafka-for-tests</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>${groupId}</groupId><artifactId>${artifactId}</artifactId><version>${version}</version></dependency>
  </dependencies>
</project>
`
const plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies"

if (kafkaMissing() !== undefined) {
  const target = kafkaFolder()
  mkdirSync(dirname(target), { recursive: true })
  const folder = mkdtempSync(`${target}-`)
  writeFileSync(join(folder, "pom.xml"), pom)
  const jars = join(folder, "jars")
  const goal = [plugin, `-DoutputDirectory=${jars}`, "-DincludeScope=runtime"]
  const { error, status } = spawnSync("mvn", ["-q", "-B", "-f", join(folder, "pom.xml"), ...goal], { stdio: "inherit" })
  if (status === 0) {
    // A folder that is there holds everything.
    rmSync(target, { recursive: true, force: true })
    renameSync(jars, target)
  } else {
    const reason = error === undefined ? "Maven failed" : "Maven was not found (apt-get install -y maven)"
    stderr.write(`Kafka ${version} could not be fetched: ${reason}\n`)
    process.exitCode = 1
  }
  rmSync(folder, { recursive: true, force: true })
}
