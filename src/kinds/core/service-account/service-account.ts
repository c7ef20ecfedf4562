import type { ServiceAccount } from '../../../api/generated/core-v1.js'
import { age } from '../../../formats/table.js'
import { defineKind } from '../../../registry/kind.js'
import { builtinColumns } from '../../columns.js'
import { serviceAccountToken } from './token.js'

const enforce = 'kubernetes.io/enforce-mountable-secrets'

export const serviceAccount = defineKind<ServiceAccount>({
  group: '',
  kind: 'ServiceAccount',
  resource: 'serviceaccounts',
  shortNames: ['sa'],
  namespaced: true,
  versions: [{ name: 'v1', type: 'core.v1.ServiceAccount' }],
  returnsDeletedObject: true,
  columns: builtinColumns('serviceaccounts', { Name: o => o.metadata.name, Age: age }),
  prepareForCreate: keepSecretNames,
  prepareForUpdate: keepSecretNames,
  revalidatesMetadata: true,
  warnings(o, old) {
    if (o.metadata.annotations?.[enforce] === undefined || old?.metadata.annotations?.[enforce] !== undefined) return []
    return [
      `metadata.annotations[${enforce}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`
    ]
  },
  subresources: { token: serviceAccountToken }
})

/** The fields of an object reference are not for secrets. */
function keepSecretNames(o: ServiceAccount): void {
  o.secrets = o.secrets?.map(({ name }) => (name === undefined ? {} : { name }))
  if (!o.secrets) delete o.secrets
}
