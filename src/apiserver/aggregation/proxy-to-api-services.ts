/** Answers requests for group versions of other servers: passes them on with the user's name. */
import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import type { ApiServiceTable, RemoteVersion } from './api-service-table.js'
import { passOnForUser, unavailable } from './pass-on-for-user.js'
import type { RemoteConnections } from './remote-connections.js'

export interface ProxyOptions {
  readonly table: ApiServiceTable
  readonly connections: RemoteConnections
  /** The flag --aggregator-reject-forwarding-redirect. */
  readonly rejectsRedirects: boolean
  /** Whether other servers are told the UIDs of users. */
  readonly namesUids: boolean
}

/** The time for a request for discovery in milliseconds: clients ask for it often, and need it at once. */
const discoveryMs = 5000

export type AnswerRemote = (context: RequestContext) => Promise<Response> | undefined

/** Returns a function that answers undefined for what this server serves itself. */
export function proxyToApiServices(options: ProxyOptions): AnswerRemote {
  const { table } = options
  return context => {
    if (table.isEmpty) return undefined
    const { info } = context
    const remote = info.isResourceRequest ? table.find(info.group, info.version) : ofDiscovery(table, info.path)
    return remote && forward(context, remote, options)
  }
}

/** Returns the group version whose discovery a path names: /apis/<group>/<version>. */
function ofDiscovery(table: ApiServiceTable, path: string): RemoteVersion | undefined {
  if (!path.startsWith('/apis/')) return undefined
  const [, , group, version] = path.split('/')
  return group && version ? table.find(group, version) : undefined
}

/**
 * Answers for a server that is known to be unavailable. kube-apiserver counts these answers, but not those for failed
 * connections.
 */
function refused({ record }: RequestContext): Response {
  record.refusedByProxy = true
  return unavailable('service unavailable')
}

export async function forward(
  context: RequestContext,
  { isAvailable, server }: RemoteVersion,
  { connections, rejectsRedirects, namesUids }: ProxyOptions
): Promise<Response> {
  if (!isAvailable) return refused(context)
  const { info } = context
  let reached: ReturnType<RemoteConnections['reach']>
  try {
    reached = connections.reach(server)
  } catch {
    return refused(context)
  }
  return passOnForUser(context, reached, {
    timeoutMs: info.isResourceRequest ? undefined : discoveryMs,
    rejectsRedirects,
    namesUid: namesUids
  })
}
