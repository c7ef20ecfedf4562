import type { ValidatingWebhook } from '../../apimachinery/api/generated/admissionregistration-v1.js'
import { webhookConfiguration } from './webhook.js'

export const validatingWebhookConfiguration = webhookConfiguration<ValidatingWebhook>({
  kind: 'ValidatingWebhookConfiguration',
  resource: 'validatingwebhookconfigurations'
})
