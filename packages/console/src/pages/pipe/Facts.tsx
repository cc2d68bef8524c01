import type { ComponentChildren } from "preact"
import { second } from "../../data/clock.ts"
import { bytes, number, rate } from "../../format/numbers.ts"
import { ago, timeIn } from "../../format/times.ts"
import { rangeOfPlace } from "../../parts/timeRange/TimeRange.tsx"
import type { PipeStatus } from "./usePipe.ts"

interface FactProps {
  readonly name: string
  readonly children: ComponentChildren
}

const Fact = ({ children, name }: FactProps) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const Time = ({ at }: { readonly at: string }) => (
  <span title={timeIn(at, rangeOfPlace().zone)}>{ago(at, second.value)}</span>
)

/** A number that not every pipe has. */
const optional = (name: string, value: number | null | undefined, text: (value: number) => string) =>
  value === null || value === undefined ? null : <Fact name={name}>{text(value)}</Fact>

const Movement = ({ status }: { readonly status: PipeStatus }) => (
  <>
    <Fact name="Rows">
      {number(status.rows)} <span class="quiet">{rate(status.rowsPerSecond)}</span>
    </Fact>
    <Fact name="Bytes">
      {bytes(status.bytes)}{" "}
      <span class="quiet">{typeof status.bytesPerSecond === "number" ? `${bytes(status.bytesPerSecond)}/s` : ""}</span>
    </Fact>
    <Fact name="Lag">{typeof status.lag === "number" ? `${number(status.lag)} rows` : "The source does not say"}</Fact>
    <Fact name="Rejected rows">{number(status.errors)}</Fact>
    <Fact name="Guarantee">{status.guarantee ?? "–"}</Fact>
    <Fact name="Warehouse">{status.warehouse ?? "–"}</Fact>
    <Fact name="Mover">{status.mover ?? "None"}</Fact>
    {optional("Changed objects, not read again", status.skippedKeys === 0 ? null : status.skippedKeys, number)}
    {optional("Last list of the objects took", status.listSeconds, (seconds) => `${number(seconds)} s`)}
    {optional("Log that the source keeps", status.retainedLogBytes, bytes)}
    {typeof status.nextList === "string" ? (
      <Fact name="Next list of the objects">
        <Time at={status.nextList} />
      </Fact>
    ) : null}
  </>
)

/** How a pipe goes on, as a list of facts. */
export const Facts = ({ status }: { readonly status: PipeStatus }) => (
  <dl class="facts">
    <Fact name="In this state">{typeof status.since === "string" ? <Time at={status.since} /> : "–"}</Fact>
    {typeof status.next === "string" ? (
      <Fact name="Next state">
        {status.next} {typeof status.due === "string" ? <Time at={status.due} /> : null}
      </Fact>
    ) : null}
    {status.simulated ? <Fact name="Movement">Simulated: no rows are moved</Fact> : <Movement status={status} />}
  </dl>
)
