import { useSignal } from '@preact/signals'
import {
  addFault,
  advance,
  forgetSnapshot,
  freeze,
  readClock,
  readFaults,
  readSnapshots,
  release,
  removeFault,
  restoreSnapshot,
  takeSnapshot
} from '../../api/testing.js'
import { yamlOf } from '../../edit/yaml-text.js'
import { Age, now } from '../../ui/age.js'
import { useLoad } from '../../ui/load.js'
import { Problem } from '../../ui/problem.js'

/** What tests do to a server, by hand: its time, what goes wrong, and back to a state. */
export function TestingView() {
  const error = useSignal<unknown>(undefined)
  const isBusy = useSignal(false)
  const round = useSignal(0)
  /** Does something, and then shows what has become of it. */
  const run = async (work: () => Promise<unknown>) => {
    isBusy.value = true
    error.value = undefined
    try {
      await work()
    } catch (reason) {
      error.value = reason
    }
    isBusy.value = false
    round.value++
  }
  const parts = { run, isBusy: isBusy.value, round: round.value }
  return (
    <div class="page">
      <div class="page-head">
        <h1>Testing</h1>
        <span class="quiet">the server's time, faults and snapshots</span>
      </div>
      {error.value !== undefined && <Problem error={error.value} />}
      <ClockPart {...parts} />
      <Faults {...parts} />
      <Snapshots {...parts} />
    </div>
  )
}

interface PartProps {
  run(work: () => Promise<unknown>): Promise<void>
  readonly isBusy: boolean
  readonly round: number
}

const steps = ['10s', '1m', '10m', '1h', '24h']

function ClockPart({ run, isBusy, round }: PartProps) {
  const { value, error } = useLoad(readClock, [round, Math.floor(now.value / 1000)])
  if (error) return <Problem error={error} />
  return (
    <section aria-label="Clock">
      <h2>Clock</h2>
      <p>
        <strong>{value?.now ?? '–'}</strong>{' '}
        <span class="quiet">{value?.frozen ? 'stands still' : 'follows the time of the system'}</span>
      </p>
      <div class="toolbar">
        {value?.frozen ? (
          <>
            {steps.map(by => (
              <button key={by} type="button" disabled={isBusy} onClick={() => void run(() => advance(by))}>
                + {by}
              </button>
            ))}
            <button type="button" disabled={isBusy} onClick={() => void run(release)}>
              Let it run
            </button>
          </>
        ) : (
          <button type="button" disabled={isBusy} onClick={() => void run(freeze)}>
            Let it stand still
          </button>
        )}
      </div>
    </section>
  )
}

/** Rules that one often wants; any other can be written. */
const presets: readonly (readonly [string, object])[] = [
  ['The next update is a conflict', { verb: ['update', 'patch'], status: 409, times: 1 }],
  ['Every fifth write fails with 500', { verb: ['create', 'update', 'patch', 'delete'], status: 500, probability: 0.2 }],
  ['Writes take 2 s', { verb: ['create', 'update', 'patch', 'delete'], delay: 2000 }],
  ['Watches expire after 3 events', { verb: 'watch', resource: '*', watch: { afterEvents: 3, do: 'expire' } }],
  ['The next answer of a write is lost', { verb: ['create', 'update', 'patch'], storage: 'lostAnswer', times: 1 }],
  ['Webhooks do not answer', { webhook: '*', error: 'timeout' }]
]

function Faults({ run, isBusy, round }: PartProps) {
  const { value, error } = useLoad(readFaults, [round, Math.floor(now.value / 2000)])
  if (error) return <Problem error={error} />
  return (
    <section aria-label="Faults">
      <h2>Faults</h2>
      <div class="toolbar">
        {presets.map(([title, rule]) => (
          <button key={title} type="button" disabled={isBusy} onClick={() => void run(() => addFault(rule))}>
            {title}
          </button>
        ))}
      </div>
      {value && value.length > 0 ? (
        <table class="simple-table">
          <thead>
            <tr>
              <th scope="col">Rule</th>
              <th scope="col">Has happened</th>
              <th scope="col">
                <span class="hidden">End it</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {value.map(({ id, rule, count }) => (
              <tr key={id}>
                <td>
                  <pre class="rule-text">{yamlOf(rule)}</pre>
                </td>
                <td>{count}</td>
                <td>
                  <button type="button" disabled={isBusy} onClick={() => void run(() => removeFault(id))}>
                    End it
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <p class="quiet">Nothing goes wrong on purpose.</p>
      )}
    </section>
  )
}

function Snapshots({ run, isBusy, round }: PartProps) {
  const { value, error } = useLoad(readSnapshots, [round])
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget as HTMLFormElement).get('name') ?? '').trim()
    if (name) void run(() => takeSnapshot(name))
  }
  if (error) return <Problem error={error} />
  return (
    <section aria-label="Snapshots">
      <h2>Snapshots</h2>
      <form class="toolbar" onSubmit={submit}>
        <input name="name" aria-label="Name of the snapshot" placeholder="before-the-test" spellcheck={false} />
        <button type="submit" disabled={isBusy}>
          Take a snapshot
        </button>
      </form>
      <table class="simple-table">
        <tbody>
          {value?.map(({ name, created }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <Age since={created} /> ago
              </td>
              <td>
                <button type="button" disabled={isBusy} onClick={() => void run(() => restoreSnapshot(name))}>
                  Go back to it
                </button>{' '}
                <button type="button" disabled={isBusy} onClick={() => void run(() => forgetSnapshot(name))}>
                  Forget it
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
