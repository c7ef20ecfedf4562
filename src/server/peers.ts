/** Makes what a server has to do with the other API servers over the same store. */
import * as refs from '../apimachinery/api/resources.js'
import type { RequestInfo } from '../apimachinery/request/request-info.js'
import { type Peers, peersOf } from '../apiserver/peers/peers.js'
import type { Startup } from '../controllers/startup.js'
import type { Services } from '../registry/services.js'
import { parseAuthorities, readFlagFile } from '../transport/certificates/key-files.js'
import { UserError } from '../util/user-error.js'
import type { Foundation } from './foundation.js'
import type { ServerOptions } from './options.js'

const gate = 'UnknownVersionInteroperabilityProxy'

/**
 * Reads the authorities of the other servers' certificates; undefined for a server that does not ask them. Rejects with a UserError.
 */
export async function loadPeerAuthorities(
  { peerCAFile, proxyClientCertFile }: ServerOptions,
  { features }: Pick<Foundation, 'features'>
): Promise<string | undefined> {
  if (!peerCAFile) return undefined
  if (!features.enabled(gate)) throw new UserError(`--peer-ca-file requires ${gate} feature to be turned on`)
  if (!proxyClientCertFile)
    throw new UserError(
      '--peer-ca-file needs --proxy-client-cert-file and --proxy-client-key-file: other API servers know this one by that certificate'
    )
  return parseAuthorities(`--peer-ca-file ${peerCAFile}`, await readFlagFile('--peer-ca-file', peerCAFile)).join('')
}

interface Needs extends Pick<Foundation, 'peerAuthorities' | 'frontProxy' | 'egress' | 'metrics' | 'registry' | 'log'> {
  readonly services: Services
  /** Whether an extension API server serves a group version. */
  readonly servesRemotely: (group: string, version: string) => boolean
  readonly startup: Startup
}

/** The kinds through which servers find each other. */
const forServers = [refs.leases, refs.endpoints]

/** Returns undefined for a server that does not ask others, or where a kind that is needed is switched off. */
export function serverPeers(needs: Needs): Peers | undefined {
  const { services, peerAuthorities: authorities, frontProxy: certificate, egress, registry, servesRemotely, metrics } = needs
  if (authorities === undefined || !certificate || !forServers.every(ref => registry.serves(ref))) return undefined
  return peersOf({
    services,
    authorities,
    certificate,
    egress: egress.controlplane,
    serves: ({ group, version, resource }: RequestInfo) =>
      registry.find(group, version, resource) !== undefined || servesRemotely(group, version),
    metrics,
    startup: needs.startup,
    log: needs.log
  })
}
