import type { ValidatingWebhook } from '../../api/generated/admissionregistration-v1.js'
import { webhookConfiguration } from './webhook.js'

export const validatingWebhookConfiguration = webhookConfiguration<ValidatingWebhook>({
  kind: 'ValidatingWebhookConfiguration',
  resource: 'validatingwebhookconfigurations'
})
