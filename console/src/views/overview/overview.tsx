import { routeOf } from '../../api/access-question.js'
import { resources } from '../../api/discovery.js'
import { collectionPath, objectRoute } from '../../api/paths.js'
import { request } from '../../api/request.js'
import { config, self } from '../../api/session.js'
import type { KubeObject } from '../../api/types.js'
import { isListed } from '../../shell/navigation.js'
import { Age, now } from '../../ui/age.js'
import { useLoad } from '../../ui/load.js'

/** The first page: which server this is, who one is, and what may need a look. */
export function Overview() {
  const version = useLoad(signal => request<{ gitVersion: string }>('/version', { signal }), [])
  const user = self.value
  return (
    <div class="page">
      <div class="page-head">
        <h1>{config.value?.name}</h1>
      </div>
      <dl class="facts">
        <dt>Kubernetes</dt>
        <dd>{version.value?.gitVersion ?? '–'}</dd>
        <dt>Binnacle</dt>
        <dd>{config.value?.version}</dd>
        <dt>You</dt>
        <dd>
          {user?.username ?? '–'} {user?.groups && <span class="quiet">{user.groups.join(', ')}</span>}{' '}
          <a href={routeOf({})}>What you may do</a>
        </dd>
        <dt>Kinds</dt>
        <dd>{resources.value?.filter(isListed).length}</dd>
      </dl>
      <p class="quiet">
        <kbd>Ctrl K</kbd> goes to any kind, <kbd>/</kbd> filters a list, arrow keys and Enter walk through it.
      </p>
      <Leaving />
      <Warnings />
    </div>
  )
}

/** Asked anew from time to time: the page stays open on a second screen. */
const turn = () => Math.floor(now.value / 10_000)

const metadataOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json'
const namespaces = { group: '', version: 'v1', name: 'namespaces', namespaced: false }

/** Namespaces that are being deleted, and do not go. Their own page says why. */
function Leaving() {
  const { value } = useLoad(
    signal => request<{ items: KubeObject[] | null }>(collectionPath(namespaces), { accept: metadataOnly, signal }),
    [turn()]
  )
  const leaving = (value?.items ?? []).filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
  if (leaving.length === 0) return null
  return (
    <>
      <h2>Namespaces that are being deleted</h2>
      <ul>
        {leaving.map(({ metadata: { name, deletionTimestamp } }) => (
          <li key={name}>
            <a href={objectRoute(namespaces, undefined, name)}>{name}</a> for <Age since={deletionTimestamp} />:{' '}
            <a href={objectRoute(namespaces, undefined, name)}>why?</a>
          </li>
        ))}
      </ul>
    </>
  )
}

interface WarningEvent {
  readonly metadata: { readonly uid: string; readonly namespace: string; readonly creationTimestamp: string }
  readonly involvedObject: { readonly kind: string; readonly name: string }
  readonly reason?: string
  readonly message?: string
  readonly count?: number
  readonly lastTimestamp?: string | null
  readonly eventTime?: string | null
}

const timeOf = ({ lastTimestamp, eventTime, metadata }: WarningEvent) => lastTimestamp ?? eventTime ?? metadata.creationTimestamp

/** The last Events of the type Warning. */
function Warnings() {
  const { value } = useLoad(
    async signal => {
      const path = collectionPath({ group: '', version: 'v1', name: 'events', namespaced: true })
      const { items } = await request<{ items: WarningEvent[] }>(path, {
        query: { fieldSelector: 'type=Warning', limit: 500 },
        signal
      })
      return items.sort((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1)).slice(0, 12)
    },
    [turn()]
  )
  if (!value || value.length === 0) return null
  return (
    <>
      <h2>Warnings</h2>
      <table class="simple-table">
        <tbody>
          {value.map(event => (
            <tr key={event.metadata.uid}>
              <td>
                <Age since={timeOf(event)} />
              </td>
              <td>
                {event.involvedObject.kind} {event.metadata.namespace}/{event.involvedObject.name}
              </td>
              <td class="warn">{event.reason}</td>
              <td>{event.message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
