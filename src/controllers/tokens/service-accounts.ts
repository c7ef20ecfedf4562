/** Gives every namespace a default service account, and the ConfigMap with the authority that pods have to trust. */
import * as refs from '../../apimachinery/api/resources.js'
import type { Client } from '../../registry/client.js'
import type { Services } from '../../registry/services.js'
import type { Logger } from '../../util/logger.js'
import { Controller } from '../controller.js'

const accountName = 'default'
const configMapName = 'kube-root-ca.crt'
const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.'

export function serviceAccountController(services: Services, client: Client, caBundle: string, log: Logger): Controller {
  const namespaces = services.registry.of(refs.namespaces)
  const accounts = services.registry.of(refs.serviceAccounts)
  const configMaps = services.registry.of(refs.configMaps)
  const onlyNamed = (name: string) => (key: string) => (key.endsWith(`/${name}`) ? key.slice(0, -name.length - 1) : undefined)
  return new Controller({
    name: 'serviceaccount',
    watches: [
      { resource: namespaces, keyOf: key => key },
      { resource: accounts, keyOf: onlyNamed(accountName) },
      { resource: configMaps, keyOf: onlyNamed(configMapName) }
    ],
    clock: services.clock,
    queues: services.queues,
    log,
    async reconcile(name) {
      const found = namespaces.get('', name)
      if (!found || namespaces.parse(found).metadata.deletionTimestamp) return undefined
      await client.ensure(accounts, name, { metadata: { name: accountName } })
      const data = { 'ca.crt': caBundle }
      const present = configMaps.get(name, configMapName)
      if (!present) {
        await client.ensure(configMaps, name, {
          metadata: { name: configMapName, annotations: { 'kubernetes.io/description': description } },
          data
        } as never)
      } else if (configMaps.parse(present).data?.['ca.crt'] !== caBundle) {
        await client.update(configMaps, name, configMapName, object => {
          object.data = data
        })
      }
    }
  })
}
