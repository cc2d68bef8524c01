// A real Kafka for tests: one process that is broker and controller. The jars are in a cache folder, where fetchKafka.ts
// puts them.
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { execFile, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createConnection } from "node:net"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { env } from "node:process"
import { freePorts } from "./freePorts.ts"

const version = "4.3.0"

/** What fetchKafka.ts asks Maven for. */
export const kafkaArtifact = { groupId: "org.apache.kafka", artifactId: "kafka_2.13", version }

/** Where the jars are kept, outside the workspace: they outlive a checkout. */
export const kafkaFolder = (): string =>
  join(env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "headgate", `kafka-${version}`)

/** Why no Kafka can be started on this machine, and what to do; `undefined` if one can. */
export const kafkaMissing = (): string | undefined => {
  if (spawnSync("java", ["-version"]).status !== 0) {
    return "this machine has no Java (apt-get install -y openjdk-17-jre-headless)"
  }
  const jars = existsSync(kafkaFolder()) ? readdirSync(kafkaFolder()) : []
  return jars.includes(`kafka_2.13-${version}.jar`)
    ? undefined
    : "this machine has no Kafka (node tooling/harness/src/fetchKafka.ts)"
}

/** The certificate of the TLS listener, which clients take as their CA, and its key. Both in PEM. */
export interface BrokerCertificate {
  readonly certificate: string
  readonly privateKey: string
}

export interface KafkaBrokerOptions {
  /** A user that can authenticate by PLAIN, SCRAM-SHA-256 and SCRAM-SHA-512. */
  readonly user?: { readonly name: string; readonly password: string }
  /** Opens the listeners `tls` and, with a user, `saslTls`. */
  readonly certificate?: BrokerCertificate
}

/** A Kafka for tests. Each listener is `host:port`. */
export interface KafkaBroker {
  readonly plain: string
  readonly sasl: string
  readonly tls: string
  readonly saslTls: string
  /** Kills the broker. Its data and its ports are kept. */
  readonly stop: Effect.Effect<void>
  /** Starts a stopped broker. */
  readonly start: Effect.Effect<void>
  /** Freezes the broker while the effect runs: it keeps its connections, and does not answer. */
  readonly whileFrozen: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

// The broker runs until its standard input ends or has a line, which keeps its folder. It ends when the test process
// ends, however it ends: no test run leaves a broker or its data behind.
const untilInputEnds = `"$@" & echo $!; read -r kept; kill -KILL $!; wait $!; [ -n "$kept" ] || rm -rf "$PWD"`

const memory = ["-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]

const java = (folder: string, main: string, ...args: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...memory,
  `-Dlog4j2.configurationFile=${join(folder, "log4j2.properties")}`,
  "-cp",
  join(kafkaFolder(), "*"),
  main,
  ...args
]

const inProperties = (text: string) => text.trim().replaceAll("\n", "\\n")

const propertiesOf = (folder: string, ports: ReadonlyArray<number>, options: KafkaBrokerOptions): string => {
  const [plain, controller, sasl, tls, saslTls] = ports
  const { certificate, user } = options
  const listeners = [
    { name: "PLAIN", port: plain, protocol: "PLAINTEXT" },
    { name: "CONTROLLER", port: controller, protocol: "PLAINTEXT" },
    ...(user === undefined ? [] : [{ name: "SASL", port: sasl, protocol: "SASL_PLAINTEXT" }]),
    ...(certificate === undefined ? [] : [{ name: "TLS", port: tls, protocol: "SSL" }]),
    ...(user === undefined || certificate === undefined
      ? []
      : [{ name: "SASLTLS", port: saslTls, protocol: "SASL_SSL" }])
  ]
  const login = (listener: string) => [
    `listener.name.${listener}.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required user_${user?.name}="${user?.password}";`,
    ...["256", "512"].map(
      (size) =>
        `listener.name.${listener}.scram-sha-${size}.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;`
    )
  ]
  return [
    "process.roles=broker,controller",
    "node.id=1",
    `controller.quorum.voters=1@127.0.0.1:${controller}`,
    `listeners=${listeners.map(({ name, port }) => `${name}://127.0.0.1:${port}`).join(",")}`,
    `listener.security.protocol.map=${listeners.map(({ name, protocol }) => `${name}:${protocol}`).join(",")}`,
    "inter.broker.listener.name=PLAIN",
    "controller.listener.names=CONTROLLER",
    `log.dirs=${join(folder, "data")}`,
    "auto.create.topics.enable=false",
    "offsets.topic.replication.factor=1",
    "offsets.topic.num.partitions=1",
    "transaction.state.log.replication.factor=1",
    "transaction.state.log.min.isr=1",
    "transaction.state.log.num.partitions=1",
    "group.initial.rebalance.delay.ms=0",
    "message.max.bytes=33554432",
    "log.cleaner.backoff.ms=100",
    "log.retention.check.interval.ms=500",
    ...(user === undefined
      ? []
      : ["sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512", ...login("sasl"), ...login("sasltls")]),
    ...(certificate === undefined
      ? []
      : [
          "ssl.keystore.type=PEM",
          `ssl.keystore.certificate.chain=${inProperties(certificate.certificate)}`,
          `ssl.keystore.key=${inProperties(certificate.privateKey)}`
        ]),
    ""
  ].join("\n")
}

const logging = `rootLogger.level=WARN
rootLogger.appenderRef.console.ref=console
appender.console.type=Console
appender.console.name=console
appender.console.layout.type=PatternLayout
appender.console.layout.pattern=%d %p %c: %m%n
`

const answers = (port: number) =>
  Effect.callback<void, string>((resume) => {
    const socket = createConnection({ port, host: "127.0.0.1" })
    socket.once("connect", () => {
      socket.destroy()
      resume(Effect.void)
    })
    socket.once("error", () => resume(Effect.fail("the broker does not listen")))
  })

/** Starts a broker with empty storage; it is killed, and its data removed, when the scope closes. */
export const startKafka = Effect.fnUntraced(function* (options: KafkaBrokerOptions = {}) {
  const ports = yield* freePorts(5)
  const [plain = 0, , sasl = 0, tls = 0, saslTls = 0] = ports
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "headgate-kafka-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const properties = join(folder, "server.properties")
  const logFile = join(folder, "log")
  writeFileSync(properties, propertiesOf(folder, ports, options))
  writeFileSync(join(folder, "log4j2.properties"), logging)

  const { user } = options
  const scram =
    user === undefined
      ? []
      : ["256", "512"].flatMap((size) => [
          "--add-scram",
          `SCRAM-SHA-${size}=[name=${user.name},password=${user.password}]`
        ])
  yield* Effect.callback<void>((resume) => {
    const cluster = "4L6g3nShT-eMCtK--X86sw"
    const args = java(folder, "kafka.tools.StorageTool", "format", "-t", cluster, "-c", properties, ...scram)
    execFile("java", args, (error, stdout, stderr) => {
      resume(error === null ? Effect.void : Effect.die(new Error(`the format of the storage: ${stdout}${stderr}`)))
    })
  })

  const running: { pid?: number; end?: (folder: "keep" | "remove") => Promise<void> } = {}
  const start = Effect.gen(function* () {
    yield* Effect.promise(async () => {
      const log = openSync(logFile, "a")
      const child = spawn("sh", ["-c", untilInputEnds, "sh", "java", ...java(folder, "kafka.Kafka", properties)], {
        cwd: folder,
        detached: true,
        // The shell's own output is the process id; the broker's goes with it.
        stdio: ["pipe", "pipe", log]
      })
      closeSync(log)
      const { stdin, stdout } = child
      if (stdin === null || stdout === null) throw new Error("the shell has no pipes")
      const [line] = await once(stdout.setEncoding("utf8"), "data")
      stdout.resume()
      running.pid = Number(String(line).split("\n")[0])
      running.end = async (folder) => {
        stdin.end(folder === "keep" ? "keep\n" : "")
        if (child.exitCode === null) await once(child, "exit")
      }
    })
    yield* Effect.retry(answers(plain), Schedule.upTo(Schedule.spaced("50 millis"), { duration: "2 minutes" })).pipe(
      Effect.tapError(() => Effect.logError(readFileSync(logFile, "utf8"))),
      Effect.orDie
    )
  })
  const end = (folder: "keep" | "remove") =>
    Effect.promise(async () => {
      const { end } = running
      delete running.end
      await end?.(folder)
    })
  const signal = (name: "SIGSTOP" | "SIGCONT") =>
    Effect.sync(() => {
      if (running.pid !== undefined) process.kill(running.pid, name)
    })
  yield* Effect.acquireRelease(start, () => end("remove"))

  const at = (port: number) => `127.0.0.1:${port}`
  const broker: KafkaBroker = {
    plain: at(plain),
    sasl: at(sasl),
    tls: at(tls),
    saslTls: at(saslTls),
    stop: end("keep"),
    start,
    whileFrozen: (effect) =>
      Effect.acquireUseRelease(
        signal("SIGSTOP"),
        () => effect,
        () => signal("SIGCONT")
      )
  }
  return broker
})
