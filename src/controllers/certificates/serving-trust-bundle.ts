/** Publishes as a ClusterTrustBundle which authorities clients of this server have to trust, and deletes the signer's other bundles. */
import { createHash } from 'node:crypto'
import type { ClusterTrustBundle } from '../../apimachinery/api/generated/certificates-v1beta1.js'
import * as refs from '../../apimachinery/api/resources.js'
import type { Client } from '../../registry/client.js'
import type { Services } from '../../registry/services.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'
import { Controller } from '../controller.js'

const signerName = 'kubernetes.io/kube-apiserver-serving'
const prefix = `${signerName.replace('/', ':')}:`

/** The name contains a hash of the content, so that a bundle never changes. */
const nameOf = (bundle: string) => `${prefix}${createHash('sha256').update(bundle).digest('hex').slice(0, 24)}`

/** `trustBundle`: PEM of the authorities. */
export function servingTrustBundle(
  { registry, clock, queues }: Services,
  client: Client,
  trustBundle: string,
  log: Logger
): Part {
  const bundles = registry.of(refs.clusterTrustBundles)
  const name = nameOf(trustBundle)
  const controller = new Controller({
    name: 'kube-apiserver-serving-clustertrustbundle-publisher',
    watches: [{ resource: bundles, keyOf: key => (key.startsWith(prefix) ? signerName : undefined) }],
    clock,
    queues,
    log,
    async reconcile() {
      const present = bundles.read('', name)
      if (!present) await client.ensure(bundles, '', { metadata: { name }, spec: { signerName, trustBundle } } as never)
      else if (present.spec.trustBundle !== trustBundle)
        await client.update<ClusterTrustBundle>(bundles, '', name, object => {
          object.spec.trustBundle = trustBundle
        })
      for (const { name: other } of [...bundles.cache.range(prefix)])
        if (other !== name && other.startsWith(prefix)) await client.delete(bundles, '', other)
    }
  })
  return {
    name: controller.name,
    async start() {
      await controller.start()
      controller.enqueue(signerName)
    },
    stop: () => controller.stop()
  }
}
