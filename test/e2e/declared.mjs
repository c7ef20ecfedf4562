// What the containers of Kubernetes' e2e specs do, for those that do more than the commands that a simulated container knows. Each rule is for a
// script of a fixture, which it recognizes by a part of it.

const scriptOf = ({ command = [], args = [] }) => [...command, ...args].join(' ')
const indexOf = ({ metadata }) => metadata.annotations?.['batch.kubernetes.io/job-completion-index'] ?? ''

/** Returns a `behavior` for a server. It remembers which files containers have made. */
export function declared() {
  /** Files on volumes, and who made each. */
  const makers = new Map()
  /** Files in containers, by the uid of the Pod. */
  const files = new Map()
  const filesOf = ({ metadata }) => files.get(metadata.uid) ?? files.set(metadata.uid, new Set()).get(metadata.uid)

  /** Whether this run of a container is the first that looks for `/data/foo`, which the runs after it find. */
  function isFirst(pod, { name }) {
    const { path } = pod.spec.volumes?.find(volume => volume.name === 'data')?.hostPath ?? {}
    const file = `${path ?? pod.metadata.uid}/foo-${indexOf(pod)}`
    const restarts = pod.status.containerStatuses?.find(status => status.name === name)?.restartCount ?? 0
    const run = `${pod.metadata.uid} ${restarts}`
    if (!makers.has(file)) makers.set(file, run)
    return makers.get(file) === run
  }

  /** `mv`, `dd` and `touch`, as the specs use them to change what probes say. */
  function exec(pod, command) {
    const script = command.at(-1)
    const [, from, to] = /^mv -v (\S+) (\S+) \|\| true$/.exec(script) ?? []
    if (from) {
      if (to === '/tmp/') filesOf(pod).add(`/tmp${from}`)
      else filesOf(pod).delete(from)
      return ''
    }
    const made = /^dd .* of=(\S+)/.exec(script)?.[1]
    if (made) {
      filesOf(pod).add(made)
      return ''
    }
    if (/^echo \S+ > \/var\/tmp\/ready$|^echo .* > ?\/var\/tmp\/ready/.test(script)) {
      filesOf(pod).add('/var/tmp/ready')
      return ''
    }
    if (script === 'printf $(hostname)') return pod.spec.hostname ?? pod.metadata.name
    if (/^(ls -idlh|find|touch) \S+$/.test(script)) return ''
    return undefined
  }

  function isReady(pod, { readinessProbe: probe }) {
    const script = probe?.exec?.command?.join(' ') ?? ''
    if (script.startsWith('test -f ')) return filesOf(pod).has(script.slice('test -f '.length))
    if (script.includes('/var/tmp/ready')) return !filesOf(pod).has('/var/tmp/ready')
    if (probe?.httpGet) return !filesOf(pod).has(`/tmp${probe.httpGet.path}`)
    return undefined
  }

  function ending(pod, container) {
    const script = scriptOf(container)
    if (script.includes('touch /data/foo')) {
      const first = isFirst(pod, container)
      if (script.includes('sleep 1000000')) return { exitsAfter: first ? Number.POSITIVE_INFINITY : 0 }
      return { exitsAfter: 0, exitCode: first ? Number(/exit ([1-9]\d*)/.exec(script)[1]) : 0 }
    }
    if (script.includes('JOB_COMPLETION_INDEX} % 2')) return { exitsAfter: 0, exitCode: Number(indexOf(pod)) % 2 }
    if (script.includes('$RANDOM')) return { exitsAfter: 0, exitCode: Number.parseInt(pod.metadata.uid[0], 16) % 2 }
    if (script.includes('trap _term SIGTERM'))
      return { exitsAfter: Number.POSITIVE_INFINITY, stopsAfter: script.includes('sleep 5') ? 5000 : 0 }
    if (/pause/.test(container.image ?? '') || container.args?.[0] === 'pause') return { exitsAfter: Number.POSITIVE_INFINITY }
    return {}
  }

  return (pod, container) => ({
    ...ending(pod, container),
    pullError: /:404$|non-?existent/.test(container.image) ? 'not found' : undefined,
    isReady: isReady(pod, container),
    exec: command => exec(pod, command),
    serve: () => (container.args?.[0] === 'serve-hostname' ? pod.metadata.name : undefined)
  })
}
