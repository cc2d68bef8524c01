import { useSignal } from "@preact/signals"
import { type ComponentChildren, createContext } from "preact"
import { useContext, useEffect } from "preact/hooks"
import { calls } from "../../data/calls.ts"
import { paramsBefore, paths } from "../../data/paths.ts"
import { type Poll, usePoll } from "../../data/poll.ts"
import { place } from "../../data/route.ts"
import { ended, session } from "../../data/session.ts"

/** The organization of the session and its services. */
export interface Scope {
  readonly organizationId: string
  readonly organizations: Poll<Awaited<ReturnType<typeof calls.organization.list>>>
  readonly services: Poll<Awaited<ReturnType<typeof calls.service.list>>>
  /** The service of the page; of a page that has none that of the page before, or the first. */
  readonly serviceId: string | undefined
}

const Context = createContext<Scope | undefined>(undefined)

/** The organization and the service, below {@link ScopeOf}. */
export const useScope = (): Scope => {
  const scope = useContext(Context)
  if (scope === undefined) throw new Error("There is no scope here.")
  return scope
}

/** Reads the organization of the session and its services for what is below. */
export const ScopeOf = ({ children }: { readonly children: ComponentChildren }) => {
  const organizationId = (session.value ?? ended.value)?.organizationId ?? ""
  const organizations = usePoll((signal) => calls.organization.list(undefined, { signal }), undefined, [organizationId])
  const services = usePoll((signal) => calls.service.list({ organizationId }, { signal }), undefined, [organizationId])
  const last = useSignal<string | undefined>(undefined)
  const inPath = paramsBefore(paths.service, place.value.path)?.["serviceId"]
  useEffect(() => {
    if (inPath !== undefined) last.value = inPath
  }, [inPath])
  const serviceId = inPath ?? last.value ?? services.value.value?.[0]?.id
  return <Context.Provider value={{ organizationId, organizations, services, serviceId }}>{children}</Context.Provider>
}
