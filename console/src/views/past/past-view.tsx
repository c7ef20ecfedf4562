import { useSignal } from '@preact/signals'
import { qualifiedName } from '../../api/access-question.js'
import { resources } from '../../api/discovery.js'
import { ApiError } from '../../api/error.js'
import { objectsAt, undelete } from '../../api/history.js'
import { collectionPath, objectRoute } from '../../api/paths.js'
import { request } from '../../api/request.js'
import type { KubeObject, Resource } from '../../api/types.js'
import { namespace } from '../../preferences.js'
import { go, queryOf, setQuery } from '../../router.js'
import { isListed, pluralOf } from '../../shell/navigation.js'
import { Age, now, shortDuration } from '../../ui/age.js'
import { useLoad } from '../../ui/load.js'
import { Problem } from '../../ui/problem.js'
import { NamespaceField } from '../list/namespace-field.js'

type Fate = 'the same' | 'changed since' | 'deleted since' | 'deleted and made anew'

/** Minutes of a day. */
const longest = 1440
/** Where the page begins, which is the same while it is open. */
const fiveMinutesAgo = new Date(Date.now() - 5 * 60_000).toISOString()

/** The objects of a kind as they were at a time, and what has become of them. */
export function PastView() {
  const chosen = queryOf('kind') || 'pods'
  const kinds = (resources.value ?? []).filter(isListed)
  const resource = kinds.find(kind => qualifiedName(kind) === chosen)
  const at = queryOf('at') || fiveMinutesAgo
  // further apart the longer ago: a minute to a day
  const minutes = Math.min(longest, Math.max(1, (Date.now() - Date.parse(at)) / 60_000))
  const ago = shortDuration(now.value - Date.parse(at))
  const inNamespace = resource?.namespaced ? namespace.value : ''
  const round = useSignal(0)
  const { value, error } = useLoad(
    async signal => {
      if (!resource) return []
      const [past, present] = await Promise.all([
        objectsAt(resource, inNamespace, at, signal),
        request<{ items: KubeObject[] }>(collectionPath(resource, inNamespace), { accept: metadataOnly, signal })
      ])
      return past.map(object => ({ object, fate: fateOf(object, present.items) }))
    },
    [chosen, inNamespace, at, round.value]
  )
  return (
    <div class="page">
      <div class="page-head">
        <h1>The past</h1>
      </div>
      <div class="toolbar">
        <select
          class="selector"
          aria-label="Kind"
          value={chosen}
          onChange={event => setQuery({ kind: event.currentTarget.value })}
        >
          {kinds.map(kind => (
            <option key={qualifiedName(kind)} value={qualifiedName(kind)}>
              {pluralOf(kind)} {kind.group && `(${kind.group})`}
            </option>
          ))}
        </select>
        {resource?.namespaced && <NamespaceField />}
      </div>
      <div class="slider">
        <label for="ago">{ago} ago</label>
        <input
          id="ago"
          type="range"
          min={0}
          max={100}
          value={100 - Math.round((Math.log(minutes) / Math.log(longest)) * 100)}
          aria-valuetext={`${ago} ago`}
          onChange={event => {
            const chosen = longest ** (1 - event.currentTarget.valueAsNumber / 100)
            setQuery({ at: new Date(Date.now() - Math.round(chosen) * 60_000).toISOString() })
          }}
        />
        <span class="quiet">{new Date(at).toLocaleString()}</span>
      </div>
      {error !== undefined && <PastProblem error={error} />}
      {value && error === undefined && resource && (
        <table class="simple-table">
          <thead>
            <tr>
              {resource.namespaced && <th scope="col">Namespace</th>}
              <th scope="col">Name</th>
              <th scope="col">Made</th>
              <th scope="col">What became of it</th>
              <th scope="col">
                <span class="hidden">Undelete</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {value.map(({ object, fate }) => (
              <PastRow
                key={object.metadata.uid}
                resource={resource}
                object={object}
                fate={fate}
                onChange={() => {
                  round.value++
                }}
              />
            ))}
          </tbody>
        </table>
      )}
      {value?.length === 0 && error === undefined && <p class="quiet">There were none.</p>}
    </div>
  )
}

const metadataOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json'

function fateOf({ metadata }: KubeObject, present: readonly KubeObject[]): Fate {
  const now = present.find(other => other.metadata.name === metadata.name && other.metadata.namespace === metadata.namespace)
  if (!now) return 'deleted since'
  if (now.metadata.uid !== metadata.uid) return 'deleted and made anew'
  return now.metadata.resourceVersion === metadata.resourceVersion ? 'the same' : 'changed since'
}

function PastRow({ resource, object, fate, onChange }: { resource: Resource; object: KubeObject; fate: Fate; onChange(): void }) {
  const error = useSignal<unknown>(undefined)
  const { name, namespace: inNamespace = '', creationTimestamp } = object.metadata
  const restore = async () => {
    try {
      await undelete(resource, inNamespace, name)
      onChange()
      go(objectRoute(resource, inNamespace, name))
    } catch (reason) {
      error.value = reason
    }
  }
  return (
    <tr>
      {resource.namespaced && <td>{inNamespace}</td>}
      <td>{fate === 'deleted since' ? name : <a href={objectRoute(resource, inNamespace, name, 'history')}>{name}</a>}</td>
      <td>
        <Age since={creationTimestamp} />
      </td>
      <td class={fate.startsWith('deleted') ? 'bad' : fate === 'changed since' ? 'warn' : 'quiet'}>{fate}</td>
      <td>
        {fate === 'deleted since' && (
          <button type="button" onClick={() => void restore()}>
            Undelete
          </button>
        )}
        {error.value !== undefined && <Problem error={error.value} />}
      </td>
    </tr>
  )
}

function PastProblem({ error }: { error: unknown }) {
  if (error instanceof ApiError && error.code === 404 && !error.status?.message?.includes('not found'))
    return (
      <p>
        This server remembers nothing. Start it with <code>--history=24h</code>.
      </p>
    )
  // longer ago than the server remembers
  if (error instanceof ApiError && error.code === 410) return <p class="warn">That is too long ago: {error.message}.</p>
  return <Problem error={error} />
}
