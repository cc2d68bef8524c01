import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { announce } from "../../data/announce.ts"
import { asFailed, type CallFailed } from "../../data/CallFailed.ts"
import { calls } from "../../data/calls.ts"
import { served } from "../../data/server.ts"
import { may } from "../../data/session.ts"
import { visible } from "../../format/rawBytes.ts"
import { Failed } from "../../parts/Conditions.tsx"
import { type DiscoveredField, fieldsIn } from "./columnRows.ts"

/** What a source told of itself. */
export interface Discovered {
  readonly fields: ReadonlyArray<DiscoveredField>
  readonly optional: ReadonlySet<string>
  readonly samples: ReadonlyArray<ReadonlyArray<string | null>> | undefined
}

interface DiscoverStepProps {
  readonly address: { readonly organizationId: string; readonly serviceId: string }
  readonly source: object
  readonly discovered: Discovered | undefined
  readonly onDiscovered: (discovered: Discovered) => void
  /** Called with what the server finds wrong with the source. */
  readonly onInvalid: (failed: CallFailed) => boolean
}

const Samples = ({
  fields,
  samples
}: Pick<Discovered, "fields"> & { readonly samples: NonNullable<Discovered["samples"]> }) => (
  <>
    <h3>First rows</h3>
    <div class="scrolled" role="region" aria-label="First rows" tabIndex={0}>
      <table class="plain">
        <thead>
          <tr>
            {fields.map(({ name }) => (
              <th key={name} scope="col">
                {visible(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {samples.map((row, index) => (
            <tr key={index}>
              {fields.map(({ name }, column) => (
                <td key={name}>
                  {typeof row[column] === "string" ? (
                    <bdi>{visible(row[column])}</bdi>
                  ) : (
                    <span class="quiet">NULL</span>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </>
)

const FieldTable = ({ fields, optional, samples }: Discovered) => (
  <>
    {served.isSimulated ? (
      <p class="stale">The server is simulated: these fields are an example, and the source was not read.</p>
    ) : null}
    <div class="scrolled" role="region" aria-label="Fields of the source" tabIndex={0}>
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Type</th>
            <th scope="col">In every row</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, type }) => (
            <tr key={name}>
              <th scope="row">{visible(name)}</th>
              <td>
                <code>{type}</code>
              </td>
              <td>{optional.has(name) ? "No" : "Yes"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    {samples === undefined ? (
      may("data:read") ? null : (
        <p class="quiet">Rows are shown to keys with the permission data:read alone.</p>
      )
    ) : (
      <Samples fields={fields} samples={samples} />
    )}
  </>
)

/** The step that asks the source for its fields, by which it is checked as well. */
export const DiscoverStep = ({ address, discovered, onDiscovered, onInvalid, source }: DiscoverStepProps) => {
  const failed = useSignal<CallFailed | undefined>(undefined)
  const isAsking = useSignal(false)
  const current = useRef<AbortController | undefined>(undefined)
  const discover = async () => {
    current.current?.abort()
    const controller = new AbortController()
    current.current = controller
    isAsking.value = true
    failed.value = undefined
    announce("The source is asked")
    try {
      const { fields, samples } = await calls.pipe.discoverSchema({ ...address, source }, { signal: controller.signal })
      const found = fieldsIn(fields)
      const optional = new Set((fields ?? []).flatMap((one) => (one.optional === true && one.name ? [one.name] : [])))
      onDiscovered({ fields: found, optional, samples: samples ?? undefined })
      announce(`The source has ${found.length} fields`)
    } catch (error) {
      if (controller.signal.aborted) return
      const cause = asFailed(error)
      if (!onInvalid(cause)) failed.value = cause
    }
    isAsking.value = false
  }
  useEffect(() => {
    if (discovered === undefined && may("pipe:discover")) void discover()
    return () => current.current?.abort()
  }, [])
  return (
    <>
      {isAsking.value ? <p class="loading">The first rows of the source are read …</p> : null}
      {failed.value === undefined ? null : <Failed failed={failed.value} />}
      {discovered === undefined ? null : <FieldTable {...discovered} />}
      {may("pipe:discover") ? (
        <p>
          <button type="button" disabled={isAsking.value} onClick={() => void discover()}>
            Ask the source again
          </button>
        </p>
      ) : (
        <p>The roles of this key do not let it ask the source. Its columns can be written by hand in the next step.</p>
      )}
    </>
  )
}
