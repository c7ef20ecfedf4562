import type { ValidatingWebhookConfiguration } from '../../api/generated/admissionregistration-v1.js'
import { age } from '../../formats/table.js'
import { asNewThenOwnChanges } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { given } from '../../schema/given.js'
import { builtinColumns } from '../columns.js'
import { staticNames } from './static-names.js'
import { defaultWebhook, validateWebhooks } from './webhook.js'

export const validatingWebhookConfiguration = defineKind<ValidatingWebhookConfiguration>({
  group: 'admissionregistration.k8s.io',
  kind: 'ValidatingWebhookConfiguration',
  resource: 'validatingwebhookconfigurations',
  categories: ['api-extensions'],
  namespaced: false,
  versions: [{ name: 'v1', type: 'admissionregistration.v1.ValidatingWebhookConfiguration' }],
  table: {
    columns: builtinColumns<ValidatingWebhookConfiguration>('admissionregistration.k8s.io/validatingwebhookconfigurations', {
      Name: o => o.metadata.name,
      Webhooks: o => o.webhooks?.length ?? 0,
      Age: age
    })
  },
  generation: {
    of: o => given(o, 'webhooks'),
    emptyIsChange: true
  },
  strategy: {
    ...staticNames,
    allowUnconditionalUpdate: false,
    default(o) {
      for (const webhook of o.webhooks ?? []) defaultWebhook(webhook)
    },
    updateChecks: asNewThenOwnChanges,
    validate: (o, errors) => validateWebhooks(o.webhooks, errors)
  }
})
