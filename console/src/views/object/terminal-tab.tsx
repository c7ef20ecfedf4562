import { useSignal } from '@preact/signals'
import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import { useEffect, useRef } from 'preact/hooks'
import { canExecute, execute } from '../../api/exec.js'
import { adoptingStyles } from '../../ui/adopted-styles.js'
import { ContainerField, containersOf } from './containers.js'
import type { TabProps } from './tab.js'

/** A shell in a container. */
export function TerminalTab({ resource, object }: TabProps) {
  const { name, namespace = '' } = object.metadata
  const container = useSignal(containersOf(object)[0] ?? '')
  const command = useSignal('sh')
  const isRunning = useSignal(false)
  const end = useSignal('')
  const host = useRef<HTMLDivElement>(null)
  const stop = useRef<() => void>(() => {})
  useEffect(() => () => stop.current(), [])

  const start = () => {
    stop.current()
    end.value = ''
    isRunning.value = true
    const colour = (property: string) => getComputedStyle(document.documentElement).getPropertyValue(property).trim()
    const terminal = new Terminal({
      cursorBlink: true,
      fontFamily: colour('--mono'),
      fontSize: 13,
      screenReaderMode: true,
      theme: { background: '#0e171b', foreground: '#e3ecef', cursor: '#6cc7cf' }
    })
    const fit = new FitAddon()
    terminal.loadAddon(fit)
    adoptingStyles(() => terminal.open(host.current!))
    const program = execute(resource, { namespace, name, container: container.value }, command.value, {
      onOutput: bytes => terminal.write(bytes),
      onEnd: why => {
        isRunning.value = false
        end.value = why || 'The program has ended.'
      }
    })
    terminal.onData(text => program.send(text))
    terminal.onResize(({ cols, rows }) => program.resize(cols, rows))
    const observer = new ResizeObserver(() => fit.fit())
    observer.observe(host.current!)
    terminal.focus()
    stop.current = () => {
      observer.disconnect()
      program.close()
      terminal.dispose()
      stop.current = () => {}
    }
  }
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
          class="selector"
          aria-label="Command"
          value={command.value}
          spellcheck={false}
          onInput={event => {
            command.value = event.currentTarget.value
          }}
        />
        <button type="button" class="primary" disabled={!canExecute() || !command.value} onClick={start}>
          {isRunning.value ? 'Start anew' : 'Start'}
        </button>
        {!canExecute() && <span class="warn">Terminals are opened as yourself only.</span>}
      </div>
      {end.value && (
        <p class="quiet" role="status">
          {end.value}
        </p>
      )}
      <div class="terminal" ref={host} />
    </>
  )
}
