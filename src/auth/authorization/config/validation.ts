/** Validates the configuration of the authorizers, in the order and the words of kube-apiserver. */
import { type Stats, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { type FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { isDns1123Subdomain } from '../../../apimachinery/validation/names.js'
import { formatDuration } from '../../../util/go-duration.js'
import { goFileError } from '../../../util/go-file-error.js'
import { compileConditions } from '../webhook/compile-conditions.js'
import type { AuthorizerConfiguration, WebhookConfiguration } from './configuration.js'

/** The types of authorizers, sorted as errors list them. */
const types: readonly string[] = ['ABAC', 'AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC', 'Webhook']
const maxTimeout = 30_000

export function validateConfiguration(authorizers: readonly AuthorizerConfiguration[], errors: FieldErrors): void {
  const list = Path.of('authorizers')
  if (authorizers.length === 0) errors.required(list, 'at least one authorization mode must be defined')
  const seenTypes = new Set<string>()
  const seenNames = new Set<string>()
  authorizers.forEach((authorizer, i) => {
    const at = list.index(i)
    if (!isNewType(authorizer.type, seenTypes, at.child('type'), errors)) return
    validateName(authorizer.name, seenNames, at.child('name'), errors)
    validateAuthorizer(authorizer, at, errors)
  })
}

/** Validates an authorizer's type. Returns whether its other fields are worth validating. */
function isNewType(type: string, seen: Set<string>, at: Path, errors: FieldErrors): boolean {
  const isAgain = type !== 'Webhook' && seen.has(type)
  seen.add(type)
  if (type === '') errors.required(at)
  else if (!types.includes(type)) errors.notSupported(at, type, types)
  else if (isAgain) errors.duplicate(at, type)
  else return true
  return false
}

function validateAuthorizer({ type, webhook }: AuthorizerConfiguration, at: Path, errors: FieldErrors): void {
  if (type !== 'Webhook') {
    if (webhook) errors.invalid(at.child('webhook'), 'non-null', 'may only be specified when type=Webhook')
  } else if (webhook) validateWebhook(webhook, at, errors)
  else errors.required(at.child('webhook'), 'required when type=Webhook')
}

function validateName(name: string, seen: Set<string>, at: Path, errors: FieldErrors): void {
  const problems = isDns1123Subdomain(name)
  if (name === '') errors.required(at)
  else if (seen.has(name)) errors.duplicate(at, name)
  else if (problems.length > 0) errors.invalid(at, name, `authorizer name is invalid: ${problems.join(', ')}`)
  seen.add(name)
}

/** Validates a webhook. As in kube-apiserver, the paths in errors lack the field `webhook`. */
function validateWebhook(webhook: WebhookConfiguration, at: Path, errors: FieldErrors): void {
  const { timeout, failurePolicy, subjectAccessReviewVersion: version } = webhook
  if (timeout === 0) errors.required(at.child('timeout'))
  else if (timeout > maxTimeout || timeout < 0)
    errors.invalid(at.child('timeout'), formatDuration(timeout), 'must be > 0s and <= 30s')
  for (const field of ['authorizedTTL', 'unauthorizedTTL'] as const)
    if (webhook[field] < 0) errors.invalid(at.child(field), formatDuration(webhook[field]), 'must be > 0s')
  oneOf(version, ['v1', 'v1beta1'], at.child('subjectAccessReviewVersion'), errors)
  validateConditionVersion(webhook, at.child('matchConditionSubjectAccessReviewVersion'), errors)
  oneOf(failurePolicy, ['NoOpinion', 'Deny'], at.child('failurePolicy'), errors)
  validateConnection(webhook.connectionInfo, at.child('connectionInfo'), errors)
  compileConditions(webhook.matchConditions, at.child('matchConditions'), errors)
}

function oneOf(value: string, supported: readonly string[], at: Path, errors: FieldErrors): void {
  if (value === '') errors.required(at)
  else if (!supported.includes(value)) errors.notSupported(at, value, supported)
}

function validateConditionVersion(webhook: WebhookConfiguration, at: Path, errors: FieldErrors): void {
  const version = webhook.matchConditionSubjectAccessReviewVersion
  if (version !== '') oneOf(version, ['v1'], at, errors)
  else if (webhook.matchConditions.length > 0) errors.required(at, 'required if match conditions are specified')
}

function validateConnection(
  { type, kubeConfigFile }: WebhookConfiguration['connectionInfo'],
  at: Path,
  errors: FieldErrors
): void {
  switch (type) {
    case '':
      return errors.required(at.child('type'))
    case 'InClusterConfig':
      if (kubeConfigFile !== undefined)
        errors.invalid(at.child('kubeConfigFile'), kubeConfigFile, 'can only be set when type=KubeConfigFile')
      return
    case 'KubeConfigFile':
      return validateFile(kubeConfigFile, at.child('kubeConfigFile'), errors)
    default: {
      const shown = { Type: type, KubeConfigFile: kubeConfigFile ?? null }
      return errors.notSupported(at.child('type'), shown, ['InClusterConfig', 'KubeConfigFile'])
    }
  }
}

function validateFile(path: string | undefined, at: Path, errors: FieldErrors): void {
  if (!path) return errors.required(at)
  if (!isAbsolute(path)) return errors.invalid(at, path, 'must be an absolute path')
  let found: Stats
  try {
    found = statSync(path)
  } catch (error) {
    return errors.invalid(at, path, `error loading file: ${goFileError('stat', path, error)}`)
  }
  if (!found.isFile()) errors.invalid(at, path, 'must be a regular file')
}
