import type { ServiceAccount } from '../../apimachinery/api/generated/core-v1.js'
import { age } from '../../apimachinery/formats/table.js'
import { changesThenAsNew } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'

const enforce = 'kubernetes.io/enforce-mountable-secrets'

export const serviceAccount = defineKind<ServiceAccount>({
  group: '',
  kind: 'ServiceAccount',
  resource: 'serviceaccounts',
  shortNames: ['sa'],
  namespaced: true,
  versions: [{ name: 'v1', type: 'core.v1.ServiceAccount' }],
  table: { columns: builtinColumns('serviceaccounts', { Name: o => o.metadata.name, Age: age }) },
  strategy: {
    prepareForCreate: keepSecretNames,
    prepareForUpdate: keepSecretNames,
    updateChecks: changesThenAsNew,
    warnings(o, old) {
      if (o.metadata.annotations?.[enforce] === undefined || old?.metadata.annotations?.[enforce] !== undefined) return []
      return [
        `metadata.annotations[${enforce}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`
      ]
    }
  },
  deletion: { returnsObject: true },
  subresources: {
    others: {
      token: {
        kind: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
        type: 'authentication.v1.TokenRequest',
        verbs: ['create']
      }
    }
  }
})

/** Keeps only the names of secrets: other fields of the references are not used. */
function keepSecretNames(o: ServiceAccount): void {
  o.secrets = o.secrets?.map(({ name }) => (name === undefined ? {} : { name }))
  if (!o.secrets) delete o.secrets
}
