import type { ComponentType } from 'preact'
import { lazy, Suspense } from 'preact/compat'
import { segments } from '../router.js'

/** The views by the first segment of their path. */
const views: Readonly<Record<string, () => Promise<ComponentType>>> = {
  '': async () => (await import('./overview/overview.js')).Overview,
  access: async () => (await import('./access/access-view.js')).AccessView,
  cluster: async () => (await import('./cluster/cluster-view.js')).ClusterView,
  create: async () => (await import('./create/create-view.js')).CreateView,
  list: async () => (await import('./list/list-view.js')).ListView,
  object: async () => (await import('./object/object-view.js')).ObjectView,
  past: async () => (await import('./past/past-view.js')).PastView,
  requests: async () => (await import('./requests/requests-view.js')).RequestsView,
  schema: async () => (await import('./schema/schema-view.js')).SchemaView,
  server: async () => (await import('./server/server-view.js')).ServerView,
  testing: async () => (await import('./testing/testing-view.js')).TestingView
}
const shown = new Map(Object.entries(views).map(([name, load]) => [name, lazy(load)]))

/** Begins to load the view of the address, while the page still asks who one is. */
export function preloadView(): void {
  const name = segments.value[0] ?? ''
  if (Object.hasOwn(views, name)) void views[name]!()
}

/** The view of the address. */
export function View() {
  const Found = shown.get(segments.value[0] ?? '')
  if (!Found) return <p class="page">There is no such page.</p>
  return (
    <Suspense fallback={null}>
      <Found />
    </Suspense>
  )
}
