/** Measures the call of a webhook, and decides whether its failure refuses the request. */

import { internalError } from '../../apimachinery/status/status.js'
import { type AdmissionAttributes, shownTo } from '../admission.js'
import { WebhookFailure, WebhookRefusal } from './call.js'
import type { ConfiguredWebhook } from './configured-webhook.js'
import type { RejectionCause, WebhookMetrics, WebhookType } from './webhook-metrics.js'

/**
 * Runs `act`, which calls the webhook. Ignores a failure if the webhook's failurePolicy says so, and then resolves with false;
 * else throws a StatusError.
 */
export function conclude(
  attributes: AdmissionAttributes,
  metrics: WebhookMetrics,
  webhook: ConfiguredWebhook,
  type: WebhookType,
  act: () => Promise<unknown>
): Promise<boolean> {
  const work = () => concluded(attributes, metrics, webhook, type, act)
  const steps = attributes.context.origin.record?.steps
  if (!steps) return work()
  const phase = type === 'admit' ? 'admit' : 'validate'
  const answer = (isCalled: boolean) => (isCalled ? 'allowed' : 'failed, which its failurePolicy ignores')
  return steps.around({ kind: 'webhook', phase, name: webhook.hook.name }, shownTo(attributes), work, answer)
}

async function concluded(
  { operation }: AdmissionAttributes,
  metrics: WebhookMetrics,
  { hook, ignoresFailures }: ConfiguredWebhook,
  type: WebhookType,
  act: () => Promise<unknown>
): Promise<boolean> {
  const call = { name: hook.name, type, operation }
  const started = performance.now()
  const observe = (code: number, rejected: boolean) => metrics.observe(call, (performance.now() - started) / 1000, code, rejected)
  try {
    await act()
    observe(200, false)
    return true
  } catch (error) {
    const [cause, code] = causeOf(error)
    const ignored = error instanceof WebhookFailure && ignoresFailures
    if (ignored) metrics.observeFailOpen(call)
    else metrics.observeRejection(call, cause, code)
    observe(code, !ignored)
    if (ignored) return false
    throw error instanceof WebhookFailure ? internalError(error.message) : error
  }
}

function causeOf(error: unknown): [RejectionCause, number] {
  if (error instanceof WebhookFailure) return ['calling_webhook_error', error.code]
  return error instanceof WebhookRefusal ? ['no_error', error.code] : ['apiserver_internal_error', 0]
}
