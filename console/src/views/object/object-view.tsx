import { lazy, Suspense } from 'preact/compat'
import { useEffect, useMemo } from 'preact/hooks'
import { findResource } from '../../api/discovery.js'
import { features } from '../../api/features.js'
import { groupOfSegment, listRoute, objectRoute } from '../../api/paths.js'
import type { Resource } from '../../api/types.js'
import { LiveObject } from '../../live/live-object.js'
import { segments } from '../../router.js'
import { pluralOf } from '../../shell/navigation.js'
import { Age } from '../../ui/age.js'
import { Problem } from '../../ui/problem.js'
import { Actions } from './actions.js'
import type { Tab, TabProps } from './tab.js'

const isPod = ({ group, name }: Resource) => group === '' && name === 'pods'

/** The tabs of an object, in their order. Each is loaded when it is first shown. */
const tabs: readonly Tab[] = [
  { id: '', title: 'Summary', fits: () => true, View: lazy(async () => (await import('./summary-tab.js')).SummaryTab) },
  { id: 'yaml', title: 'YAML', fits: () => true, View: lazy(async () => (await import('./yaml-tab.js')).YamlTab) },
  { id: 'events', title: 'Events', fits: () => true, View: lazy(async () => (await import('./events-tab.js')).EventsTab) },
  { id: 'related', title: 'Related', fits: () => true, View: lazy(async () => (await import('./related-tab.js')).RelatedTab) },
  {
    id: 'history',
    title: 'History',
    fits: () => features.value.history,
    View: lazy(async () => (await import('./history-tab.js')).HistoryTab)
  },
  {
    id: 'costs',
    title: 'Costs of rules',
    fits: ({ name }) => features.value.explain && name === 'customresourcedefinitions',
    View: lazy(async () => (await import('./costs-tab.js')).CostsTab)
  },
  { id: 'logs', title: 'Logs', fits: isPod, View: lazy(async () => (await import('./logs-tab.js')).LogsTab) },
  {
    id: 'faults',
    title: 'Faults',
    // a Pod does not say whether its Node is simulated
    fits: (resource, object) => isPod(resource) || Object.hasOwn(object.metadata.annotations ?? {}, 'simulate.binnacle.dev/node'),
    View: lazy(async () => (await import('./faults-tab.js')).FaultsTab)
  },
  { id: 'terminal', title: 'Terminal', fits: isPod, View: lazy(async () => (await import('./terminal-tab.js')).TerminalTab) }
]

/** One object, with everything that there is to know about it. */
export function ObjectView() {
  const [, group = '', plural = '', namespace = '-', name = '', tab = ''] = segments.value
  const resource = findResource(groupOfSegment(group), plural)
  if (!resource) return <p class="page">The server has no such kind, or you may not see it.</p>
  const inNamespace = namespace === '-' ? '' : namespace
  return (
    <OneObject key={segments.value.slice(0, 5).join('/')} resource={resource} namespace={inNamespace} name={name} tab={tab} />
  )
}

function OneObject({ resource, namespace, name, tab }: { resource: Resource; namespace: string; name: string; tab: string }) {
  const live = useMemo(() => new LiveObject(), [])
  useEffect(() => {
    live.start(resource, namespace, name)
    return () => live.stop()
  }, [])
  const object = live.object.value
  const state = live.state.value
  return (
    <div class="page object-page">
      <nav class="crumbs" aria-label="Where this is">
        <a href={listRoute(resource)}>{pluralOf(resource)}</a>
        {namespace && <span class="quiet"> / {namespace}</span>}
      </nav>
      <div class="page-head">
        <h1>{name}</h1>
        <span class="quiet">{resource.kind}</span>
        {object && (
          <span class="quiet">
            <Age since={object.metadata.creationTimestamp} /> old
          </span>
        )}
        {object?.metadata.deletionTimestamp && <span class="bad">is being deleted</span>}
        {state.is === 'waiting' && <span class="warn">{state.why} Trying again …</span>}
        {object && <Actions resource={resource} object={object} />}
      </div>
      {state.is === 'failed' && <Problem error={state.error} />}
      {object === null && (
        <p class="problem" role="status">
          {resource.kind} {name} is not there: it has been deleted, or never was.
        </p>
      )}
      {object && <Tabs resource={resource} object={object} tab={tab} />}
    </div>
  )
}

function Tabs({ resource, object, tab }: TabProps & { tab: string }) {
  const { namespace, name } = object.metadata
  const shown = tabs.filter(({ fits }) => fits(resource, object))
  const current = shown.find(({ id }) => id === tab)
  return (
    <>
      <nav class="tabs" aria-label="About this object">
        {shown.map(({ id, title }) => (
          <a key={id} href={objectRoute(resource, namespace, name, id)} aria-current={id === tab ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <Suspense fallback={null}>
        {current ? <current.View resource={resource} object={object} /> : <p>There is no such page.</p>}
      </Suspense>
    </>
  )
}
