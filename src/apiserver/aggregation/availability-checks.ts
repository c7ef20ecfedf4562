/** Finds out whether the server of an APIService can be used: its Service, the endpoints, and whether discovery answers. */
import type { EndpointSlice } from '../../apimachinery/api/generated/discovery-v1.js'
import * as refs from '../../apimachinery/api/resources.js'
import type { Registry } from '../../registry/registry.js'
import type { RemoteVersion } from './api-service-table.js'
import type { RemoteConnections } from './remote-connections.js'
import { aggregatorUser, RemoteRequestError, statusOf } from './remote-request.js'

export interface Availability {
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
}

export const localAvailability: Availability = {
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available'
}

const passed: Availability = { status: 'True', reason: 'Passed', message: 'all checks passed' }

/** How many requests are sent at once: each may reach another endpoint, and one success is enough. */
const attempts = 5
const discoveryMs = 5000

export interface AvailabilityCheckOptions {
  readonly registry: Registry
  readonly connections: RemoteConnections
  /** Whether the operator gave the address of a Service, which then need not exist. */
  readonly isOverridden: (namespace: string, name: string, port: number) => boolean
}

export async function checkAvailability(remote: RemoteVersion, options: AvailabilityCheckOptions): Promise<Availability> {
  const { namespace, name, port } = remote.server
  if (options.connections.isSimulated(remote.server)) return passed
  const missing = options.isOverridden(namespace, name, port) ? undefined : checkService(remote, options.registry)
  if (missing) return missing
  const failure = await checkDiscovery(remote, options.connections)
  if (failure !== undefined) return { status: 'False', reason: 'FailedDiscoveryCheck', message: failure }
  return passed
}

function checkService({ server: { namespace, name, port } }: RemoteVersion, registry: Registry): Availability | undefined {
  const unavailable = (reason: string, message: string): Availability => ({ status: 'False', reason, message })
  const where = `service/${name} in ${JSON.stringify(namespace)}`
  const services = registry.of(refs.services)
  const cached = services.get(namespace, name)
  if (!cached) return unavailable('ServiceNotFound', `${where} is not present`)
  const { spec } = services.parse(cached)
  if ((spec.type ?? 'ClusterIP') !== 'ClusterIP') return undefined
  const declared = spec.ports?.find(p => p.port === port)
  if (!declared) return unavailable('ServicePortError', `${where} is not listening on port ${port}`)
  const portName = declared.name ?? ''
  const slices = slicesOf(registry, namespace, name)
  if (slices.length > 0)
    return slices.some(slice => hasEndpoint(slice, portName))
      ? undefined
      : unavailable(
          'MissingEndpoints',
          `endpointslices for ${where} have no addresses with port name ${JSON.stringify(portName)}`
        )
  // Endpoints written by hand have no EndpointSlices, unless a controller mirrors them
  const subsets = registry.of(refs.endpoints).read(namespace, name)?.subsets ?? []
  return subsets.some(
    ({ addresses, ports }) => (addresses?.length ?? 0) > 0 && ports?.some(p => (p.name ?? '') === portName) === true
  )
    ? undefined
    : unavailable('EndpointsNotFound', `cannot find endpointslices for ${where}`)
}

function slicesOf(registry: Registry, namespace: string, name: string): EndpointSlice[] {
  const resource = registry.of(refs.endpointSlices)
  return resource.cache.by('labels', 'kubernetes.io/service-name', name, `${namespace}/`).map(found => resource.parse(found))
}

const hasEndpoint = ({ endpoints, ports }: EndpointSlice, portName: string): boolean =>
  (endpoints ?? []).some(({ conditions }) => conditions?.ready !== false) &&
  (ports ?? []).some(port => (port.name ?? '') === portName && port.port !== undefined)

/** Returns the last failure when no attempt succeeds. */
async function checkDiscovery({ server, group, version, name }: RemoteVersion, connections: RemoteConnections) {
  const path = name === 'v1.' ? `/api/${version}` : `/apis/${group}/${version}`
  let failure: string | undefined
  const attempt = async () => {
    try {
      const { status, url } = await statusOf(connections, { server, user: aggregatorUser, path, timeoutMs: discoveryMs })
      if (status >= 200 && status < 300) return
      failure = `failing or missing response from ${url}: bad status from ${url}: ${status}`
    } catch (error) {
      const { message } = error as Error
      failure =
        error instanceof RemoteRequestError
          ? `failing or missing response from ${error.url}: Get ${JSON.stringify(error.url)}: ${message}`
          : message
    }
    throw new Error(failure)
  }
  try {
    await Promise.any(Array.from({ length: attempts }, attempt))
    return undefined
  } catch {
    return failure
  }
}
