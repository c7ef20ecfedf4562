/** Makes the aggregation layer of a server. */

import * as refs from '../apimachinery/api/resources.js'
import { type Aggregation, aggregationOf } from '../apiserver/aggregation/aggregation.js'
import type { Startup } from '../controllers/startup.js'
import { Client, systemUser } from '../registry/client.js'
import type { Services } from '../registry/services.js'
import type { Admission } from '../registry/write/admission.js'
import type { Foundation } from './foundation.js'
import type { ServerOptions } from './options.js'
import type { ServiceAddresses } from './service-addresses.js'

interface Needs extends Pick<Foundation, 'frontProxy' | 'egress' | 'metrics' | 'log'> {
  readonly services: Services
  readonly admission: Admission
  readonly addresses: ServiceAddresses
  readonly startup: Startup
}

/** The kinds through which the aggregation layer finds extension API servers. */
const forServers = [refs.apiServices, refs.services, refs.endpointSlices, refs.endpoints]

/** Returns undefined where a kind that is needed is switched off. */
export function serverAggregation(options: ServerOptions, needs: Needs): Aggregation | undefined {
  const { services, admission, addresses, frontProxy, egress, metrics, startup, log } = needs
  if (!forServers.every(ref => services.registry.serves(ref))) return undefined
  return aggregationOf({
    services,
    client: new Client(services, admission, { user: systemUser('system:apiserver'), manager: 'kube-apiserver' }),
    resolve: addresses.resolve,
    isOverridden: addresses.isOverridden,
    certificate: frontProxy,
    egress: egress.cluster,
    rejectsRedirects: options.aggregatorRejectForwardingRedirect ?? true,
    metrics,
    startup,
    log
  })
}
