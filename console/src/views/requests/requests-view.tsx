import { useComputed, useSignal } from '@preact/signals'
import { ApiError } from '../../api/error.js'
import { type RequestSummary, requestsSince } from '../../api/recorded.js'
import { Age } from '../../ui/age.js'
import { Check } from '../../ui/check.js'
import { usePoll } from '../../ui/poll.js'
import { Problem } from '../../ui/problem.js'
import { type Column, VirtualTable } from '../../ui/virtual-table.js'
import { groupsOf, isLong, type RequestGroup } from './request-groups.js'
import { RequestRecord } from './request-record.js'

const period = 1000
/** As many as the page keeps. */
const most = 2000
const time = (milliseconds: number): string =>
  milliseconds < 10 ? `${milliseconds.toFixed(1)} ms` : `${Math.round(milliseconds)} ms`
const isOwn = ({ userAgent }: RequestSummary) => userAgent.startsWith('Mozilla/')

/** The requests of the server as they come, with the record of each. */
export function RequestsView() {
  const kept = useSignal<readonly RequestSummary[]>([])
  const error = useSignal<unknown>(undefined)
  const text = useSignal('')
  const only = useSignal<'all' | 'refused' | 'slow'>('all')
  const withOwn = useSignal(false)
  const isPaused = useSignal(false)
  const chosen = useSignal<number | undefined>(undefined)
  const last = useSignal(0)
  usePoll(
    async signal => {
      if (isPaused.value) return
      const answer = await requestsSince(last.value, signal)
      last.value = answer.last
      if (answer.requests.length > 0) kept.value = [...kept.value, ...answer.requests].slice(-most)
      error.value = undefined
    },
    period,
    reason => {
      error.value = reason
    }
  )

  const shown = useComputed(() => {
    const wanted = text.value.toLowerCase()
    const fits = (request: RequestSummary) =>
      (withOwn.value || !isOwn(request)) &&
      (only.value !== 'refused' || request.status >= 400) &&
      (only.value !== 'slow' || (request.milliseconds > 50 && !isLong(request))) &&
      `${request.verb} ${request.url} ${request.user} ${request.status} ${request.userAgent}`.toLowerCase().includes(wanted)
    return kept.value.filter(fits).reverse()
  })
  const byUser = useComputed(() => groupsOf(shown.value, ({ user }) => user || 'nobody'))
  const byKind = useComputed(() => groupsOf(shown.value, ({ verb, resource, url }) => `${verb} ${resource || url.split('?')[0]}`))
  if (error.value !== undefined) return <RequestsProblem error={error.value} />
  return (
    <div class="page list-page">
      <div class="page-head">
        <h1>Requests</h1>
        <span class="count" role="status">
          {shown.value.length} of the last {kept.value.length} {!isPaused.value && <span class="live">live</span>}
        </span>
      </div>
      <div class="toolbar">
        <input
          type="search"
          data-search
          aria-label="Filter requests"
          placeholder="Filter  /"
          value={text.value}
          onInput={event => {
            text.value = event.currentTarget.value
          }}
        />
        <select
          aria-label="Which requests"
          value={only.value}
          onChange={event => {
            only.value = event.currentTarget.value as typeof only.value
          }}
        >
          <option value="all">All</option>
          <option value="refused">Refused (400 and above)</option>
          <option value="slow">Slower than 50 ms</option>
        </select>
        <Check label="Those of browsers" value={withOwn} />
        <button
          type="button"
          aria-pressed={isPaused.value}
          onClick={() => {
            isPaused.value = !isPaused.value
          }}
        >
          {isPaused.value ? 'Go on' : 'Pause'}
        </button>
      </div>
      <VirtualTable
        label="Requests"
        columns={columns}
        items={shown.value}
        keyOf={({ number }) => String(number)}
        classOf={({ status }) => (status >= 500 ? 'row-bad' : status >= 400 ? 'row-warn' : '')}
        onOpen={({ number }) => {
          chosen.value = number
        }}
        onSelect={({ number }) => {
          chosen.value = number
        }}
        empty="No request has been recorded that fits."
      />
      {chosen.value === undefined ? (
        <div class="halves">
          <Groups title="By user" groups={byUser.value} />
          <Groups title="By verb and kind" groups={byKind.value} />
        </div>
      ) : (
        <RequestRecord
          key={chosen.value}
          number={chosen.value}
          onClose={() => {
            chosen.value = undefined
          }}
        />
      )}
    </div>
  )
}

const columns: readonly Column<RequestSummary>[] = [
  { key: 'age', title: 'Ago', width: '8ch', render: ({ time }) => <Age since={time} /> },
  { key: 'verb', title: 'Verb', width: '12ch', render: ({ verb }) => verb },
  { key: 'url', title: 'Path', width: 'minmax(30ch, 60fr)', render: ({ url }) => <span title={url}>{url}</span> },
  {
    key: 'user',
    title: 'User',
    width: 'minmax(16ch, 26fr)',
    render: ({ user, impersonated }) => (impersonated ? `${impersonated} (by ${user})` : user || 'nobody')
  },
  {
    key: 'status',
    title: 'Status',
    width: '9ch',
    render: ({ status }) => <span class={status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'}>{status || '…'}</span>
  },
  {
    key: 'time',
    title: 'Took',
    width: '11ch',
    render: request => (isLong(request) && request.isOpen ? 'open' : time(request.milliseconds))
  }
]

const Groups = ({ title, groups }: { title: string; groups: readonly RequestGroup[] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
  <section class="scroll-y" aria-label={title} tabIndex={0}>
    <table class="simple-table">
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">Requests</th>
          <th scope="col">Refused</th>
          <th scope="col">Mean</th>
          <th scope="col">Slowest</th>
        </tr>
      </thead>
      <tbody>
        {groups.slice(0, 30).map(({ name, count, errors, mean, slowest }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{count}</td>
            <td class={errors > 0 ? 'warn' : ''}>{errors}</td>
            <td>{time(mean)}</td>
            <td>{time(slowest)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

function RequestsProblem({ error }: { error: unknown }) {
  return (
    <div class="page">
      <h1>Requests</h1>
      {error instanceof ApiError && (error.code === 409 || error.code === 404) ? (
        <p>
          This server does not record its requests. Start it with <code>--recorder</code>.
        </p>
      ) : (
        <Problem error={error} />
      )}
    </div>
  )
}
