import type { MutatingWebhookConfiguration } from '../../api/generated/admissionregistration-v1.js'
import { age } from '../../formats/table.js'
import { asNewThenOwnChanges } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { given } from '../../schema/given.js'
import { builtinColumns } from '../columns.js'
import { reinvocationPolicies } from './mutating-admission-policy.js'
import { staticNames } from './static-names.js'
import { defaultWebhook, validateWebhooks } from './webhook.js'

export const mutatingWebhookConfiguration = defineKind<MutatingWebhookConfiguration>({
  group: 'admissionregistration.k8s.io',
  kind: 'MutatingWebhookConfiguration',
  resource: 'mutatingwebhookconfigurations',
  categories: ['api-extensions'],
  namespaced: false,
  versions: [{ name: 'v1', type: 'admissionregistration.v1.MutatingWebhookConfiguration' }],
  table: {
    columns: builtinColumns<MutatingWebhookConfiguration>('admissionregistration.k8s.io/mutatingwebhookconfigurations', {
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
      for (const webhook of o.webhooks ?? []) {
        defaultWebhook(webhook)
        webhook.reinvocationPolicy ??= 'Never'
      }
    },
    updateChecks: asNewThenOwnChanges,
    validate(o, errors) {
      validateWebhooks(o.webhooks, errors, ({ reinvocationPolicy }, at) => {
        if (!reinvocationPolicies.includes(reinvocationPolicy!))
          errors.notSupported(at.child('reinvocationPolicy'), reinvocationPolicy, reinvocationPolicies)
      })
    }
  }
})
