import type { ComponentType } from 'preact'
import { lazy, Suspense } from 'preact/compat'
import { segments } from '../router.js'

/** The views by the first segment of their path, each loaded when it is first shown. */
const views: Readonly<Record<string, ComponentType>> = {
  access: lazy(async () => (await import('./access/access-view.js')).AccessView),
  cluster: lazy(async () => (await import('./cluster/cluster-view.js')).ClusterView),
  create: lazy(async () => (await import('./create/create-view.js')).CreateView),
  list: lazy(async () => (await import('./list/list-view.js')).ListView),
  object: lazy(async () => (await import('./object/object-view.js')).ObjectView),
  past: lazy(async () => (await import('./past/past-view.js')).PastView),
  requests: lazy(async () => (await import('./requests/requests-view.js')).RequestsView),
  schema: lazy(async () => (await import('./schema/schema-view.js')).SchemaView),
  server: lazy(async () => (await import('./server/server-view.js')).ServerView)
}
const Overview = lazy(async () => (await import('./overview/overview.js')).Overview)

/** The view of the address. */
export function View() {
  const [first] = segments.value
  const Found = first === undefined ? Overview : Object.hasOwn(views, first) ? views[first] : undefined
  if (!Found) return <p class="page">There is no such page.</p>
  return (
    <Suspense fallback={null}>
      <Found />
    </Suspense>
  )
}
