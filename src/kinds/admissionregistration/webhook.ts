/** The two kinds of webhook configurations: they differ only in a field that mutating webhooks have and validating ones lack. */
import type { MutatingWebhook, ValidatingWebhook } from '../../apimachinery/api/generated/admissionregistration-v1.js'
import type { ObjectMeta } from '../../apimachinery/api/generated/meta-v1.js'
import { NewExpressions } from '../../apimachinery/cel/new-expressions.js'
import { age } from '../../apimachinery/formats/table.js'
import { given } from '../../apimachinery/schema/given.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { validateLabelSelector } from '../../apimachinery/validation/label-selector.js'
import { isDns1123Subdomain } from '../../apimachinery/validation/names.js'
import { asNewThenOwnChanges } from '../../registry/checks.js'
import { defineKind, type KindDefinition } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { defaultClientConfig, validateClientConfig, validateReviewVersions } from '../webhook-client-config.js'
import { validateMatchConditions } from './match-conditions.js'
import { matchPolicies } from './match-resources.js'
import { failurePolicies } from './policy.js'
import { defaultRule, validateRule } from './rules.js'
import { staticNames } from './static-names.js'

type Webhook = ValidatingWebhook | MutatingWebhook

const sideEffects = ['None', 'NoneOnDryRun']
const maxTimeoutSeconds = 30

export interface WebhookConfiguration<W extends Webhook> {
  apiVersion?: string
  kind?: string
  metadata: ObjectMeta
  webhooks?: W[]
}

interface WebhookKind<W extends Webhook> {
  readonly kind: string
  readonly resource: string
  /** Sets the defaults of the fields that only this kind's webhooks have. */
  readonly default?: (webhook: W) => void
  /** Validates these fields. */
  readonly validate?: (webhook: W, at: Path, errors: FieldErrors) => void
}

export const webhookConfiguration = <W extends Webhook>(of: WebhookKind<W>): KindDefinition<WebhookConfiguration<W>> =>
  defineKind<WebhookConfiguration<W>>({
    group: 'admissionregistration.k8s.io',
    kind: of.kind,
    resource: of.resource,
    categories: ['api-extensions'],
    namespaced: false,
    versions: [{ name: 'v1', type: `admissionregistration.v1.${of.kind}` }],
    table: {
      columns: builtinColumns<WebhookConfiguration<W>>(`admissionregistration.k8s.io/${of.resource}`, {
        Name: o => o.metadata.name,
        Webhooks: o => o.webhooks?.length ?? 0,
        Age: age
      })
    },
    generation: { of: o => given(o, 'webhooks'), emptyIsChange: true },
    strategy: {
      ...staticNames,
      allowUnconditionalUpdate: false,
      default(o) {
        for (const webhook of o.webhooks ?? []) {
          defaultWebhook(webhook)
          of.default?.(webhook)
        }
      },
      updateChecks: asNewThenOwnChanges,
      validate({ webhooks }, errors, _context, old) {
        const stored = old?.webhooks?.flatMap(({ matchConditions = [] }) => matchConditions.map(({ expression }) => expression))
        const news = new NewExpressions(errors.minCompatibility, stored)
        validateWebhooks(webhooks, errors, (webhook, at) => of.validate?.(webhook, at, errors), news)
      }
    }
  })

function defaultWebhook(webhook: Webhook): void {
  webhook.failurePolicy ??= 'Fail'
  webhook.matchPolicy ??= 'Equivalent'
  webhook.namespaceSelector ??= {}
  webhook.objectSelector ??= {}
  webhook.timeoutSeconds ??= 10
  for (const rule of webhook.rules ?? []) defaultRule(rule)
  defaultClientConfig(webhook.clientConfig)
}

function validateWebhooks<T extends Webhook>(
  webhooks: readonly T[] | undefined,
  errors: FieldErrors,
  more: (webhook: T, at: Path) => void,
  news: NewExpressions
): void {
  const names = new Set<string>()
  webhooks?.forEach((webhook, i) => {
    const at = Path.of('webhooks').index(i)
    validateWebhook(webhook, at, errors, () => more(webhook, at), news)
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

function validateWebhook(webhook: Webhook, at: Path, errors: FieldErrors, more: () => void, news: NewExpressions): void {
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
  validateMatchConditions(webhook.matchConditions, at.child('matchConditions'), errors, news)
}

function validateFullName(name: string, path: Path, errors: FieldErrors): void {
  const wrong = isDns1123Subdomain(name)
  if (wrong.length > 0) errors.invalid(path, name, wrong.join(','))
  else if (name.split('.').length < 3)
    errors.invalid(path, name, 'should be a domain with at least three segments separated by dots')
}
