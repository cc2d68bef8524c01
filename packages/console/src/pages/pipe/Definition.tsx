import { visible } from "../../format/rawBytes.ts"
import { Copy } from "../../parts/Copy.tsx"
import { type Detail, detailsOf, masked } from "./details.ts"
import type { PipeDocument } from "./usePipe.ts"

const Details = ({ details, title }: { readonly title: string; readonly details: ReadonlyArray<Detail> }) =>
  details.length === 0 ? null : (
    <>
      <h3>{title}</h3>
      <dl class="details">
        {details.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="wrapped">
              <bdi>{visible(value)}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </>
  )

/** How the pipe is defined: its source and destination, without secrets, and its document as JSON. */
export const Definition = ({ pipe }: { readonly pipe: PipeDocument }) => {
  const text = JSON.stringify(masked(pipe), undefined, 2)
  const { destination, fieldMappings, scaling, settings, source } = pipe
  return (
    <section aria-labelledby="definition">
      <h2 id="definition">Definition</h2>
      {Object.entries(source ?? {}).map(([kind, fields]) => (
        <Details
          key={kind}
          title={`Source: ${kind}`}
          details={detailsOf(typeof fields === "object" ? fields : { [kind]: fields }, ["tableMappings"])}
        />
      ))}
      <Details title="Destination" details={detailsOf(destination, ["columns"])} />
      <Details
        title="Columns"
        details={(destination?.columns ?? []).map(({ name, type }) => ({ name: name ?? "", value: type ?? "" }))}
      />
      <Details
        title="Fields"
        details={(fieldMappings ?? []).map(({ destinationField, sourceField }) => ({
          name: sourceField ?? "",
          value: destinationField ?? ""
        }))}
      />
      <Details title="Size" details={detailsOf(scaling)} />
      <Details title="Settings that are not the default" details={detailsOf(settings)} />
      <details>
        <summary>As JSON</summary>
        <Copy of="document" text={text} />
        <pre class="raw" tabIndex={0} aria-label="The document of the pipe">
          {visible(text)}
        </pre>
      </details>
    </section>
  )
}
