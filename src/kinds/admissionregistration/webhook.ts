/** Defaults and validation that validating and mutating webhooks share. */
import type { MutatingWebhook, ValidatingWebhook } from '../../api/generated/admissionregistration-v1.js'
import { type FieldErrors, Path } from '../../validation/field.js'
import { validateLabelSelector } from '../../validation/label-selector.js'
import { isDns1123Subdomain } from '../../validation/names.js'
import { defaultClientConfig, validateClientConfig, validateReviewVersions } from '../webhook-client-config.js'
import { validateMatchConditions } from './match-conditions.js'
import { matchPolicies } from './match-resources.js'
import { failurePolicies } from './policy.js'
import { defaultRule, validateRule } from './rules.js'

type Webhook = ValidatingWebhook | MutatingWebhook

const sideEffects = ['None', 'NoneOnDryRun']
const maxTimeoutSeconds = 30

export function defaultWebhook(webhook: Webhook): void {
  webhook.failurePolicy ??= 'Fail'
  webhook.matchPolicy ??= 'Equivalent'
  webhook.namespaceSelector ??= {}
  webhook.objectSelector ??= {}
  webhook.timeoutSeconds ??= 10
  for (const rule of webhook.rules ?? []) defaultRule(rule)
  defaultClientConfig(webhook.clientConfig)
}

export function validateWebhooks<T extends Webhook>(
  webhooks: readonly T[] | undefined,
  errors: FieldErrors,
  more?: (webhook: T, at: Path) => void
): void {
  const names = new Set<string>()
  webhooks?.forEach((webhook, i) => {
    const at = Path.of('webhooks').index(i)
    validateWebhook(webhook, at, errors, () => more?.(webhook, at))
    validateReviewVersions(
      webhook.admissionReviewVersions,
      at.child('admissionReviewVersions'),
      errors,
      'must specify one of v1, v1beta1'
    )
    if (webhook.name !== '' && names.has(webhook.name)) errors.duplicate(at.child('name'), webhook.name)
    names.add(webhook.name)
  })
}

function validateWebhook(webhook: Webhook, at: Path, errors: FieldErrors, more: () => void): void {
  const { name, failurePolicy, matchPolicy, timeoutSeconds } = webhook
  if (name === '') errors.required(at.child('name'))
  else validateFullName(name, at.child('name'), errors)
  webhook.rules?.forEach((rule, i) => void validateRule(rule, at.child('rules').index(i), errors))
  if (!failurePolicies.includes(failurePolicy!)) errors.notSupported(at.child('failurePolicy'), failurePolicy, failurePolicies)
  if (!matchPolicies.includes(matchPolicy!)) errors.notSupported(at.child('matchPolicy'), matchPolicy, matchPolicies)
  // Go writes the field always, as null when it is not set
  const effects = webhook.sideEffects as string | null | undefined
  if (effects === undefined || effects === null)
    errors.required(at.child('sideEffects'), `must specify one of ${sideEffects.join(', ')}`)
  else if (!sideEffects.includes(effects)) errors.notSupported(at.child('sideEffects'), effects, sideEffects)
  if (timeoutSeconds! < 1 || timeoutSeconds! > maxTimeoutSeconds) {
    errors.invalid(
      at.child('timeoutSeconds'),
      timeoutSeconds,
      `the timeout value must be between 1 and ${maxTimeoutSeconds} seconds`
    )
  }
  validateLabelSelector(webhook.namespaceSelector, at.child('namespaceSelector'), errors)
  validateLabelSelector(webhook.objectSelector, at.child('objectSelector'), errors)
  more()
  validateClientConfig(webhook.clientConfig, at.child('clientConfig'), errors)
  validateMatchConditions(webhook.matchConditions, at.child('matchConditions'), errors)
}

function validateFullName(name: string, path: Path, errors: FieldErrors): void {
  const wrong = isDns1123Subdomain(name)
  if (wrong.length > 0) errors.invalid(path, name, wrong.join(','))
  else if (name.split('.').length < 3)
    errors.invalid(path, name, 'should be a domain with at least three segments separated by dots')
}
