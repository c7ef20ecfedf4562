import { collectionPath } from '../../api/paths.js'
import { request } from '../../api/request.js'
import { Age, now } from '../../ui/age.js'
import { useLoad } from '../../ui/load.js'
import { Problem } from '../../ui/problem.js'
import { TableHead } from '../../ui/table-head.js'
import type { TabProps } from './tab.js'

interface EventItem {
  readonly metadata: { readonly uid: string; readonly creationTimestamp: string }
  readonly type?: string
  readonly reason?: string
  readonly message?: string
  readonly count?: number
  readonly lastTimestamp?: string | null
  readonly eventTime?: string | null
  readonly series?: { readonly count: number; readonly lastObservedTime: string }
  readonly source?: { readonly component?: string }
  readonly reportingComponent?: string
}

const timeOf = (event: EventItem): string =>
  event.series?.lastObservedTime ?? event.lastTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp

/** The Events about an object, the newest first. */
export function EventsTab({ object }: TabProps) {
  const { uid, namespace, resourceVersion } = object.metadata
  // Events follow changes of the object, and some come without one
  const turn = Math.floor(now.value / 5000)
  const { value, error } = useLoad(
    async signal => {
      const path = collectionPath({ group: '', version: 'v1', name: 'events', namespaced: true }, namespace ?? '')
      const { items } = await request<{ items: EventItem[] }>(path, {
        query: { fieldSelector: `involvedObject.uid=${uid}`, limit: 500 },
        signal
      })
      return items.sort((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1))
    },
    [uid, resourceVersion, turn]
  )
  if (error) return <Problem error={error} />
  if (!value) return <p class="quiet">Loading …</p>
  if (value.length === 0)
    return (
      <p class="quiet">There are no Events about this object. They are kept for an hour, unless the server says otherwise.</p>
    )
  return (
    <table class="simple-table">
      <TableHead titles={['Last', 'Type', 'Reason', 'From', 'Message']} />
      <tbody>
        {value.map(event => (
          <tr key={event.metadata.uid}>
            <td>
              <Age since={timeOf(event)} />
              {(event.series?.count ?? event.count ?? 1) > 1 && <span class="quiet"> ×{event.series?.count ?? event.count}</span>}
            </td>
            <td class={event.type === 'Warning' ? 'warn' : ''}>{event.type}</td>
            <td>{event.reason}</td>
            <td>{event.reportingComponent || event.source?.component}</td>
            <td>{event.message}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
