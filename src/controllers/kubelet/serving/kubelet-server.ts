/**
 * The HTTP server of simulated kubelets: logs, commands, ports and numbers of their Pods. Requests come from the API server, which has
 * authenticated and authorized its clients, over connections within the process.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Node, Pod } from '../../../apimachinery/api/generated/core-v1.js'
import type { Informer } from '../../../client/stored-types.js'
import type { InProcessServers } from '../../../transport/proxy/dial-target.js'
import { InProcessConnections } from '../../../util/duplex-pair.js'
import type { Part } from '../../../util/part.js'
import type { ClusterContext } from '../../simulation/cluster-context.js'
import type { behaviorsOf } from '../behavior.js'
import { containersOf, ephemeralOf, statusIn } from '../container-states.js'
import { isSilent, isSimulated } from '../nodes.js'
import { asksForWebSocket } from './channels.js'
import { isShell, runCommand, understood, understoodLine } from './commands.js'
import { logOf, NoLog } from './logs.js'
import { forwardOverSpdy, forwardOverWebSocket, portProtocol } from './port-forward.js'
import { commandProtocol, overSpdy, overWebSocket, type Streams } from './remote-command.js'
import { runShell } from './shell.js'

const kubeletPort = 10250
/** How a command ends whose container does. */
const killed = 137
/** What is asked for with an upgrade. */
const streams: ReadonlySet<string> = new Set(['exec', 'attach', 'portForward'])

export function kubeletServer(
  { informers, clock }: ClusterContext,
  servers: InProcessServers,
  behaviorOf: ReturnType<typeof behaviorsOf>
): Part {
  const nodes: Informer<Node> = informers.of('v1', 'Node')
  const pods: Informer<Pod> = informers.of('v1', 'Pod')
  const byAddress = nodes.index(node => [node.metadata.name!, ...(node.status.addresses ?? []).map(({ address }) => address)])
  const onNode = pods.index(({ spec }) => [spec.nodeName ?? ''])
  const http = createServer((request, response) => answer(request, response))
  http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => upgrade(request, socket, head))
  const atAddress = pods.index(({ spec, status }) => (status.podIP && !spec.hostNetwork ? [status.podIP] : []))
  /** What answers on the ports of Pods. */
  const web = createServer((request, response) => page(request, response))
  /** To what the connections to Pods lead. */
  const ports = new WeakMap<Duplex, PodPort>()
  const connections = new InProcessConnections()

  function connectionTo(pod: Pod, port: number): Duplex {
    return connections.to(web, far => ports.set(far, { pod, port }))
  }

  function page(request: IncomingMessage, response: ServerResponse): void {
    const { pod, port } = ports.get(request.socket)!
    const asked = { port, method: request.method ?? '', path: request.url ?? '' }
    try {
      const answers = containersOf(pod).map(({ spec, sort }) => behaviorOf(pod, spec, sort).serve?.(asked))
      response.end(answers.find(text => text !== undefined) ?? 'simulated\n')
    } catch (error) {
      // a behavior of the program may fail
      response.writeHead(500).end((error as Error).message)
    }
  }

  /** The Pod at an address, while it runs on a simulated Node. */
  function podAt(host: string): Pod | undefined {
    return atAddress(host).find(({ spec, status }) => {
      const node = status.phase === 'Running' ? nodes.get(spec.nodeName!) : undefined
      return node && isSimulated(node) && !isSilent(node)
    })
  }

  const podNamed = (namespace: string, name: string) => pods.get({ metadata: { namespace, name } })

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const asked = askedFor(request)
    if (!asked) return void response.writeHead(400).end('400 Bad Request\n')
    const { what, namespace, name, container, query } = asked
    if (what === 'healthz') return void response.end('ok')
    if (what === 'pods') return podList(request.headers.host ?? '', response)
    if (what !== 'containerLogs') return void response.writeHead(404).end('404 page not found\n')
    const pod = podNamed(namespace, name)
    if (!pod) return void response.writeHead(404).end(`pod "${name}" not found\n`)
    try {
      const { text, isOpen } = logOf(pod, container, query, behaviorOf)
      response.writeHead(200, { 'content-type': 'text/plain' }).write(text)
      if (query.get('follow') === 'true' && isOpen) untilEnd(pod, container, response, () => response.end())
      else response.end()
    } catch (error) {
      // a behavior of the program may fail
      response.writeHead(error instanceof NoLog ? 400 : 500).end((error as Error).message)
    }
  }

  function podList(authority: string, response: ServerResponse): void {
    const [node] = byAddress(authority.replace(/:\d+$/, ''))
    const items = onNode(node?.metadata.name ?? '')
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ kind: 'PodList', apiVersion: 'v1', metadata: {}, items }))
  }

  /** Calls `ended` when the container runs no longer. */
  function untilEnd(pod: Pod, container: string, stream: Duplex | ServerResponse, ended: () => void): void {
    const stops = [
      pods.on('update', next => next.metadata.uid === pod.metadata.uid && !runs(next, container) && end()),
      pods.on('delete', gone => gone.metadata.uid === pod.metadata.uid && end())
    ]
    const stop = () => {
      for (const each of stops) each()
    }
    const end = () => {
      stop()
      ended()
    }
    stream.once('close', stop)
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (head.length > 0) socket.unshift(head)
    const { what, namespace, name, container, query } = askedFor(request) ?? nothing
    const pod = podNamed(namespace, name)
    const refuse = (line: string, text: string) =>
      socket.end(`HTTP/1.1 ${line}\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
    if (!pod || !streams.has(what)) return void refuse('404 Not Found', 'pod does not exist')
    if (what !== 'portForward' && !runs(pod, container))
      return void refuse('500 Internal Server Error', `container not found ("${container}")`)
    const connect = (port: number) => connectionTo(pod, port)
    const run = (opened: Streams) =>
      what === 'attach' ? attach(pod, container, opened) : execute(pod, container, query.getAll('command'), opened)
    if (asksForWebSocket(request)) {
      const protocol = what === 'portForward' ? portProtocol(request) : commandProtocol(request)
      if (protocol === undefined) return void refuse('400 Bad Request', 'unable to upgrade: no protocol of the client is known')
      if (what !== 'portForward') return void overWebSocket(request, socket, protocol, query, run)
      const ports = query
        .getAll('port')
        .flatMap(list => list.split(','))
        .map(Number)
      if (ports.length === 0) return void refuse('400 Bad Request', 'query parameter "port" is required')
      if (!ports.every(isPort)) return void refuse('400 Bad Request', `invalid ports "${query.getAll('port').join()}"`)
      return void forwardOverWebSocket(request, socket, protocol, ports, pod, connect)
    }
    if (request.headers.upgrade?.toLowerCase() !== 'spdy/3.1')
      return void refuse('400 Bad Request', 'unable to upgrade: missing upgrade headers')
    const [protocol] = String(request.headers['x-stream-protocol-version'] ?? '').split(',')
    const lines = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: SPDY/3.1']
    if (protocol) lines.push(`X-Stream-Protocol-Version: ${protocol}`)
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    if (what === 'portForward') forwardOverSpdy(socket, pod, connect)
    else overSpdy(socket, query, run)
  }

  async function execute(pod: Pod, container: string, command: readonly string[], streams: Streams): Promise<number> {
    const { stdin, stdout, stderr } = streams
    const { spec, sort } = find(pod, container)!
    const { exec } = behaviorOf(pod, spec, sort)
    if (isShell(command) && !understood(pod, spec, command, exec)) {
      if (!stdin) return 0
      const parts = { stdin, stdout, stderr, isTerminal: streams.isTerminal }
      const run = (line: string) => understoodLine(pod, spec, line, exec)
      const passing = (milliseconds: number) => passes(milliseconds, pod, container, streams)
      return (await runShell({ ...parts, run, passes: passing })) ?? killed
    }
    const result = runCommand(pod, spec, command, exec)
    if (result) {
      stdin?.resume()
      if (result.lasts > 0 && !(await passes(result.lasts, pod, container, streams))) return killed
      stdout?.write(result.stdout)
      // a terminal has one output
      const errors = streams.isTerminal ? stdout : stderr
      errors?.write(result.stderr)
      return result.exitCode
    }
    for await (const piece of stdin ?? [])
      if (stdout && !stdout.write(piece)) await new Promise(resolve => stdout.once('drain', resolve))
    return 0
  }

  /** Waits, and returns whether the container still runs. */
  function passes(milliseconds: number, pod: Pod, container: string, { stdin, stdout, stderr }: Streams): Promise<boolean> {
    return new Promise(resolve => {
      const timer = Number.isFinite(milliseconds) ? clock.setTimeout(() => resolve(true), milliseconds) : undefined
      const stream = stdout ?? stderr ?? stdin
      if (stream)
        untilEnd(pod, container, stream, () => {
          timer?.cancel()
          resolve(false)
        })
    })
  }

  async function attach(pod: Pod, container: string, { stdin, stdout }: Streams): Promise<number> {
    stdin?.resume()
    stdout?.write(logOf(pod, container, new URLSearchParams(), behaviorOf).text)
    await new Promise<void>(resolve => untilEnd(pod, container, stdout ?? stdin!, resolve))
    return 0
  }

  return {
    name: 'simulated kubelets',
    start() {
      servers.serves = ({ host, port }) =>
        port === kubeletPort && byAddress(host).some(node => isSimulated(node) && !isSilent(node))
      servers.connect = target => (servers.serves?.(target) ? connections.to(http) : undefined)
      servers.connectToPod = target => {
        const pod = podAt(target.host)
        return pod && connectionTo(pod, target.port)
      }
    },
    stop() {
      servers.serves = servers.connect = servers.connectToPod = undefined
      connections.close()
    }
  }
}

interface PodPort {
  readonly pod: Pod
  readonly port: number
}

interface Asked {
  readonly what: string
  readonly namespace: string
  readonly name: string
  readonly container: string
  readonly query: URLSearchParams
}

const nothing: Asked = { what: '', namespace: '', name: '', container: '', query: new URLSearchParams() }

/** Reads a path of the kubelet; undefined for one that is none. Clients choose it, by way of the proxy of Nodes. */
function askedFor({ url = '/' }: IncomingMessage): Asked | undefined {
  try {
    const { pathname, searchParams: query } = new URL(url, 'https://kubelet')
    const [, what = '', namespace = '', name = '', container = ''] = pathname.split('/').map(decodeURIComponent)
    return { what, namespace, name, container, query }
  } catch {
    return undefined
  }
}

const isPort = (port: number) => Number.isInteger(port) && port > 0 && port < 65_536

const find = (pod: Pod, name: string) => [...containersOf(pod), ...ephemeralOf(pod)].find(({ spec }) => spec.name === name)

function runs(pod: Pod, name: string): boolean {
  const container = find(pod, name)
  return !!container && !!statusIn(pod.status, container)?.state.running
}
