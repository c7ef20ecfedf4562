/**
 * The metrics API (metrics.k8s.io), which `kubectl top` reads: what simulated Pods and Nodes use, as it is declared. It is an extension
 * API server within the process; the API server reaches it by an APIService, as it reaches a real one.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Node, Pod } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { parseLabelSelector } from '../../apimachinery/selectors/labels.js'
import { badRequest, notFound, StatusError } from '../../apimachinery/status/status.js'
import type { Informer } from '../../client/stored-types.js'
import type { InProcessServers } from '../../transport/proxy/dial-target.js'
import { InProcessConnections } from '../../util/duplex-pair.js'
import type { Part } from '../../util/part.js'
import { formatQuantity } from '../../util/quantity.js'
import { timestamp } from '../../util/time.js'
import { isSilent, isSimulated } from '../kubelet/nodes.js'
import type { ClusterContext } from '../simulation/cluster-context.js'
import { declaredUsage, running, usageFrom, windowMs } from './metrics.js'

const group = 'metrics.k8s.io'
const version = 'v1beta1'
const apiVersion = `${group}/${version}`
const service = { name: 'metrics-server', namespace: 'kube-system', port: 443 }
const resources = ['cpu', 'memory'] as const

type Usage = Record<(typeof resources)[number], number>

const quantityOf = (value: number, resource: string): string =>
  formatQuantity({ mantissa: BigInt(value), exponent: -3, format: resource === 'memory' ? 'BinarySI' : 'DecimalSI' })

const shown = (usage: Usage) => Object.fromEntries(resources.map(name => [name, quantityOf(usage[name], name)]))

export function metricsServer(context: ClusterContext, servers: InProcessServers): Part {
  const { informers, clock, log } = context
  const nodes: Informer<Node & KubeObject> = informers.of('v1', 'Node')
  const pods: Informer<Pod & KubeObject> = informers.of('v1', 'Pod')
  const onNode = pods.index(({ spec }) => [spec.nodeName ?? ''])
  const usageOf = usageFrom(context.behavior)
  const connections = new InProcessConnections()
  const http = createServer((request, response) => {
    try {
      const answer = answerTo(request)
      if (answer) send(response, 200, answer)
      else response.writeHead(404).end('404 page not found\n')
    } catch (error) {
      if (error instanceof StatusError) send(response, error.code, error.status)
      // a behavior of the program may fail
      else response.writeHead(500).end((error as Error).message)
    }
  })

  /** What the containers of a Pod use; undefined where anything is not measured. */
  function containersOf(pod: Pod): { readonly name: string; readonly usage: Usage }[] | undefined {
    const found = running(pod).map(container => {
      const values = resources.map(resource => [resource, usageOf(pod, container, resource)] as const)
      return values.some(([, value]) => value === undefined)
        ? undefined
        : { name: container.name, usage: Object.fromEntries(values) as Usage }
    })
    return found.length === 0 || found.includes(undefined) ? undefined : (found as { name: string; usage: Usage }[])
  }

  const about = ({ metadata: { name, namespace, labels } }: KubeObject) => {
    const now = timestamp(clock.now())
    const metadata = { name, ...(namespace ? { namespace } : {}), creationTimestamp: now, ...(labels ? { labels } : {}) }
    return { apiVersion, metadata, timestamp: now, window: `${windowMs / 1000}s` }
  }

  function ofPod(pod: Pod & KubeObject): object | undefined {
    const containers = containersOf(pod)
    if (!containers) return undefined
    return { kind: 'PodMetrics', ...about(pod), containers: containers.map(one => ({ ...one, usage: shown(one.usage) })) }
  }

  /** What a Node uses is what it declares, or else what its Pods use. */
  function ofNode(node: Node & KubeObject): object | undefined {
    if (!isSimulated(node) || isSilent(node)) return undefined
    const sum = (resource: keyof Usage) =>
      onNode(node.metadata.name!)
        .flatMap(pod => containersOf(pod) ?? [])
        .reduce((total, { usage }) => total + usage[resource], 0)
    const usage = { cpu: declaredUsage(node, 'cpu') ?? sum('cpu'), memory: declaredUsage(node, 'memory') ?? sum('memory') }
    return { kind: 'NodeMetrics', ...about(node), usage: shown(usage) }
  }

  function answerTo({ method, url = '/' }: IncomingMessage): object | undefined {
    const { pathname, searchParams: query } = new URL(url, 'https://metrics')
    const [, root = '', ...path] = pathname.split('/')
    if (method !== 'GET' || root !== 'apis' || (path[0] ?? group) !== group || (path[1] ?? version) !== version) return undefined
    const [, , ...rest] = path
    if (rest.length === 0) return discovery[path.length]
    const namespace = rest[0] === 'namespaces' ? rest[1] : undefined
    const [resource, name] = namespace === undefined ? rest : rest.slice(2)
    if (resource === 'nodes' && namespace === undefined) return read('Node', nodes.list(), ofNode, name, query)
    if (resource !== 'pods' || (name !== undefined && namespace === undefined)) return undefined
    const there = pods.list().filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace)
    return read('Pod', there, ofPod, name, query)
  }

  return {
    name: 'metrics API',
    async start() {
      servers.serves = ({ host, port }) => host === `${service.name}.${service.namespace}.svc` && port === service.port
      servers.connect = target => (servers.serves?.(target) ? connections.to(http) : undefined)
      await register(context).catch(error => log.warn(`no metrics API: ${error}`))
    },
    stop() {
      servers.serves = servers.connect = undefined
      connections.close()
    }
  }
}

/** Lets the API server know of it, unless another one is registered. */
async function register(context: ClusterContext): Promise<void> {
  const services = context.clientAs('system:metrics-server', 'metrics-server').of('apiregistration.k8s.io/v1', 'APIService')
  const name = `${version}.${group}`
  if (await services.find({ metadata: { name } })) return
  const spec = { group, version, service, insecureSkipTLSVerify: true, groupPriorityMinimum: 100, versionPriority: 100 }
  await services.create({ metadata: { name, labels: { 'k8s-app': 'metrics-server' } }, spec }).catch(error => {
    if (!(error instanceof StatusError && error.code === 409)) throw error
  })
}

function read<T extends KubeObject>(
  kind: 'Node' | 'Pod',
  objects: readonly T[],
  metricsOf: (object: T) => object | undefined,
  name: string | undefined,
  query: URLSearchParams
): object {
  if (name !== undefined) {
    const object = objects.find(({ metadata }) => metadata.name === name)
    const metrics = object && metricsOf(object)
    if (!metrics) throw notFound({ group, resource: `${kind.toLowerCase()}s` }, name)
    return metrics
  }
  const selects = selectorIn(query)
  const items = objects.flatMap(object => (selects(object.metadata.labels ?? {}) ? (metricsOf(object) ?? []) : []))
  return { kind: `${kind}MetricsList`, apiVersion, metadata: {}, items }
}

function selectorIn(query: URLSearchParams): (labels: Readonly<Record<string, string>>) => boolean {
  try {
    return parseLabelSelector(query.get('labelSelector') ?? '')?.matches ?? (() => true)
  } catch (error) {
    throw badRequest((error as Error).message)
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const resourceOf = (kind: string, name: string, namespaced: boolean) => ({
  name,
  singularName: '',
  namespaced,
  kind,
  verbs: ['get', 'list']
})
const groupVersion = { groupVersion: apiVersion, version }
const apiGroup = { name: group, versions: [groupVersion], preferredVersion: groupVersion }

/** What is served, by the length of the path below `/apis`. */
const discovery: readonly object[] = [
  { kind: 'APIGroupList', apiVersion: 'v1', groups: [apiGroup] },
  { kind: 'APIGroup', apiVersion: 'v1', ...apiGroup },
  {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: apiVersion,
    resources: [resourceOf('NodeMetrics', 'nodes', false), resourceOf('PodMetrics', 'pods', true)]
  }
]
