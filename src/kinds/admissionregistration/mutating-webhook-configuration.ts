import type { MutatingWebhook } from '../../apimachinery/api/generated/admissionregistration-v1.js'
import { reinvocationPolicies } from './mutating-admission-policy.js'
import { webhookConfiguration } from './webhook.js'

export const mutatingWebhookConfiguration = webhookConfiguration<MutatingWebhook>({
  kind: 'MutatingWebhookConfiguration',
  resource: 'mutatingwebhookconfigurations',
  default(webhook) {
    webhook.reinvocationPolicy ??= 'Never'
  },
  validate({ reinvocationPolicy }, at, errors) {
    if (!reinvocationPolicies.includes(reinvocationPolicy!))
      errors.notSupported(at.child('reinvocationPolicy'), reinvocationPolicy, reinvocationPolicies)
  }
})
