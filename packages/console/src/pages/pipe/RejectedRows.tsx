import { useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { calls } from "../../data/calls.ts"
import { usePoll } from "../../data/poll.ts"
import { may } from "../../data/session.ts"
import { bytes, number } from "../../format/numbers.ts"
import { bytesOf, hexDump, visible } from "../../format/rawBytes.ts"
import { timeIn } from "../../format/times.ts"
import { Polled } from "../../parts/Conditions.tsx"
import { Copy } from "../../parts/Copy.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import type { Column } from "../../parts/table/column.ts"
import { byNumber, byTime } from "../../parts/table/model.ts"
import { Table } from "../../parts/table/Table.tsx"
import { rangeOfPlace } from "../../parts/timeRange/TimeRange.tsx"
import type { PipeAddress } from "./usePipe.ts"

type Rejected = Awaited<ReturnType<typeof calls.pipe.errors>>[number]

/** The row as it was read: as text, or its bytes if it is none. */
const RawRow = ({
  onClose,
  row,
  zone
}: {
  readonly row: Rejected
  readonly zone: string
  readonly onClose: () => void
}) => {
  const base64 = row.messageBase64 ?? ""
  const isText = typeof row.message === "string"
  return (
    <Dialog title="Rejected row" onClose={onClose}>
      <p class="wrapped">
        <strong>
          <bdi>{visible(row.error)}</bdi>
        </strong>
      </p>
      <dl class="facts">
        {[
          ["Time", timeIn(row.at, zone)],
          ["Table", row.table],
          ["Source", row.source],
          ["Partition", row.partition],
          ["Range", `${row.from} to ${row.to}, row ${row.row}`],
          ["Size", bytes(row.bytes)]
        ].map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{visible(value ?? "")}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <pre class="raw" tabIndex={0} aria-label="The row as it was read" dir="ltr">
        {isText ? visible(row.message ?? "") : hexDump(bytesOf(base64))}
      </pre>
      {row.isCut ? <p class="quiet">Only its first 64 KiB are kept.</p> : null}
      <div class="row">
        <Copy of={isText ? "row" : "row as base64"} text={isText ? (row.message ?? "") : base64} />
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  )
}

const columnsOf = (zone: string, open: (row: Rejected) => void): ReadonlyArray<Column<Rejected>> => [
  {
    name: "at",
    title: "Time",
    value: ({ at }) => at,
    compare: byTime,
    render: ({ at }) => timeIn(at, zone),
    width: "16rem"
  },
  {
    name: "error",
    title: "Reason",
    value: ({ error }) => error,
    render: (row) => (
      <button type="button" class="as-link" onClick={() => open(row)}>
        <bdi>{visible(row.error)}</bdi>
      </button>
    ),
    width: "minmax(16rem, 2fr)"
  },
  {
    name: "message",
    title: "Row",
    value: ({ message, messageBase64 }) => message ?? messageBase64,
    render: ({ message, messageBase64 }) => (
      <code>
        <bdi>
          {message === null || message === undefined
            ? `base64 ${messageBase64 ?? ""}`.slice(0, 200)
            : visible(message.slice(0, 200))}
        </bdi>
      </code>
    ),
    width: "minmax(16rem, 3fr)"
  },
  { name: "table", title: "Table", value: ({ table }) => table, width: "8rem" },
  { name: "partition", title: "Partition", value: ({ partition }) => partition, width: "8rem" },
  { name: "row", title: "Row of its range", value: ({ row }) => row, compare: byNumber, isNumber: true, width: "10rem" }
]

const Pages = ({ address }: { readonly address: PipeAddress }) => {
  const { zone } = rangeOfPlace()
  const opened = useSignal<Rejected | undefined>(undefined)
  // The positions before which the pages begin; the newest page has none, and is read again and again.
  const before = useSignal<ReadonlyArray<string>>([])
  const from = before.value.at(-1)
  const poll = usePoll(
    (signal) =>
      calls.pipe.errors({ ...address, limit: 100, ...(from === undefined ? {} : { before: from }) }, { signal }),
    from === undefined ? 10_000 : undefined,
    [address, from]
  )
  const columns = useMemo(() => columnsOf(zone, (row) => (opened.value = row)), [zone])
  return (
    <Polled poll={poll} of="the rejected rows">
      {(rows) => {
        const last = rows.at(-1)
        return (
          <>
            {rows.length === 0 ? (
              <p class="quiet">
                {from === undefined ? "No rows were rejected in the last 7 days." : "There are no older rejected rows."}
              </p>
            ) : (
              <Table
                label="Rejected rows"
                columns={columns}
                rows={rows}
                keyOf={({ position }) => position}
                sort="-at"
              />
            )}
            <div class="row">
              {before.value.length === 0 ? null : (
                <>
                  <button type="button" onClick={() => (before.value = [])}>
                    Newest
                  </button>
                  <button type="button" onClick={() => (before.value = before.value.slice(0, -1))}>
                    Newer
                  </button>
                  <span class="quiet">Page {number(before.value.length + 1)}</span>
                </>
              )}
              {last === undefined ? null : (
                <button type="button" onClick={() => (before.value = [...before.value, last.position])}>
                  Older
                </button>
              )}
            </div>
            {opened.value === undefined ? null : (
              <RawRow row={opened.value} zone={zone} onClose={() => (opened.value = undefined)} />
            )}
          </>
        )
      }}
    </Polled>
  )
}

/** The rows that the destination did not take, as they were read. */
export const RejectedRows = ({ address }: { readonly address: PipeAddress }) =>
  may("data:read") ? (
    <section aria-labelledby="rejected">
      <h2 id="rejected">Rejected rows</h2>
      <Pages address={address} />
    </section>
  ) : null
