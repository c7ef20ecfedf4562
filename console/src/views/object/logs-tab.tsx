import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { objectPath } from '../../api/paths.js'
import { ask } from '../../api/request.js'
import { lines } from '../../api/stream.js'
import { oncePerFrame } from '../../live/frames.js'
import { Check } from '../../ui/check.js'
import { Problem } from '../../ui/problem.js'
import { ContainerField, containersOf } from './containers.js'
import type { TabProps } from './tab.js'

/** The last lines that the page keeps. */
const most = 5000
// what programs write for terminals
const escapes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[ -/]*[@-~]`, 'g')

/** What a container writes, as it writes it. */
export function LogsTab({ resource, object }: TabProps) {
  const { name, namespace = '', uid } = object.metadata
  const container = useSignal(containersOf(object)[0] ?? '')
  const previous = useSignal(false)
  const timestamps = useSignal(false)
  const text = useSignal('')
  const shown = useSignal<readonly string[]>([])
  const error = useSignal<unknown>(undefined)
  const follows = useSignal(true)
  const box = useRef<HTMLPreElement>(null)

  useEffect(() => {
    const stop = new AbortController()
    let kept: string[] = []
    const redraw = oncePerFrame(() => {
      if (kept.length > most) kept = kept.slice(-most)
      shown.value = [...kept]
    })
    const read = async () => {
      const query = {
        container: container.value,
        follow: !previous.value,
        previous: previous.value,
        timestamps: timestamps.value,
        tailLines: 1000
      }
      const response = await ask(objectPath(resource, namespace, name, 'log'), { accept: '*/*', query, signal: stop.signal })
      for await (const line of lines(response.body!)) {
        kept.push(line.replace(escapes, ''))
        // a program that writes faster than frames are drawn
        if (kept.length > most * 2) kept = kept.slice(-most)
        redraw()
      }
    }
    shown.value = []
    error.value = undefined
    read().catch(reason => {
      if (!stop.signal.aborted) error.value = reason
    })
    return () => {
      stop.abort()
      redraw.cancel()
    }
  }, [uid, container.value, previous.value, timestamps.value])
  useEffect(() => {
    const element = box.current
    if (element && follows.value) element.scrollTop = element.scrollHeight
  }, [shown.value])

  const wanted = text.value.toLowerCase()
  const found = wanted ? shown.value.filter(line => line.toLowerCase().includes(wanted)) : shown.value
  return (
    <>
      <div class="toolbar">
        <ContainerField
          pod={object}
          value={container.value}
          onChange={name => {
            container.value = name
          }}
        />
        <input
          type="search"
          data-search
          aria-label="Filter lines"
          placeholder="Filter  /"
          value={text.value}
          onInput={event => {
            text.value = event.currentTarget.value
          }}
        />
        <Check label="Times" value={timestamps} />
        <Check label="Before the last restart" value={previous} />
        <Check label="Follow" value={follows} />
      </div>
      {error.value !== undefined && <Problem error={error.value} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <pre class="log" role="log" ref={box} tabIndex={0} aria-label={`Log of ${container.value}`}>
        {found.length > 0 ? found.join('\n') : 'Nothing has been written.'}
      </pre>
    </>
  )
}
