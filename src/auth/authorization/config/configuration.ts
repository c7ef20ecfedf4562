/**
 * The configuration of the authorizers, as --authorization-config gives it
 * (https://kubernetes.io/docs/reference/access-authn-authz/authorization/#using-configuration-file-for-authorization).
 */
import { type ConfigKind, readConfig } from '../../../apimachinery/config/read-config.js'
import { bool, duration, list, named, pointer, string, struct, typeMeta } from '../../../apimachinery/config/types.js'
import { readDuration } from '../../../util/go-duration.js'

/** All durations are in milliseconds. */
export interface WebhookConfiguration {
  readonly authorizedTTL: number
  readonly cacheAuthorizedRequests: boolean
  readonly unauthorizedTTL: number
  readonly cacheUnauthorizedRequests: boolean
  readonly timeout: number
  readonly subjectAccessReviewVersion: string
  readonly matchConditionSubjectAccessReviewVersion: string
  readonly failurePolicy: string
  readonly connectionInfo: { readonly type: string; readonly kubeConfigFile: string | undefined }
  readonly matchConditions: readonly { readonly expression: string }[]
}

export interface AuthorizerConfiguration {
  readonly type: string
  readonly name: string
  readonly webhook?: WebhookConfiguration | undefined
}

function typesOf(version: string) {
  const of = (name: string, fields: Parameters<typeof struct>[1]) => struct(`${version}.${name}`, fields)
  const webhook = of('WebhookConfiguration', {
    authorizedTTL: duration,
    cacheAuthorizedRequests: pointer(bool),
    unauthorizedTTL: duration,
    cacheUnauthorizedRequests: pointer(bool),
    timeout: duration,
    subjectAccessReviewVersion: string,
    matchConditionSubjectAccessReviewVersion: string,
    failurePolicy: string,
    connectionInfo: of('WebhookConnectionInfo', { type: string, kubeConfigFile: pointer(string) }),
    matchConditions: list(of('WebhookMatchCondition', { expression: string }))
  })
  const authorizer = of('AuthorizerConfiguration', {
    type: named(`${version}.AuthorizerType`),
    name: string,
    webhook: pointer(webhook)
  })
  return of('AuthorizationConfiguration', { ...typeMeta, authorizers: list(authorizer) })
}

const group = 'apiserver.config.k8s.io'
const kind: ConfigKind = {
  kind: 'AuthorizationConfiguration',
  versions: Object.fromEntries(['v1', 'v1beta1', 'v1alpha1'].map(version => [`${group}/${version}`, typesOf(version)])),
  others: Object.fromEntries(
    ['AdmissionConfiguration', 'AuthenticationConfiguration', 'EncryptionConfiguration', 'TracingConfiguration'].map(name => [
      name,
      `apiserver.${name}`
    ])
  )
}

/** Reads the text of a configuration, and sets its defaults. An empty text has no authorizers. Throws a ConfigError. */
export function readConfiguration(text: string): AuthorizerConfiguration[] {
  if (text === '') return []
  const { authorizers = [] } = readConfig(text, kind).object
  return authorizers.map(({ type = '', name = '', webhook }: any) => ({ type, name, webhook: webhook && webhookOf(webhook) }))
}

function webhookOf(given: any): WebhookConfiguration {
  const { subjectAccessReviewVersion = '', matchConditionSubjectAccessReviewVersion = '', failurePolicy = '' } = given
  const { type = '', kubeConfigFile } = given.connectionInfo
  return {
    authorizedTTL: milliseconds(given.authorizedTTL) || 300_000,
    cacheAuthorizedRequests: given.cacheAuthorizedRequests ?? true,
    unauthorizedTTL: milliseconds(given.unauthorizedTTL) || 30_000,
    cacheUnauthorizedRequests: given.cacheUnauthorizedRequests ?? true,
    timeout: milliseconds(given.timeout),
    subjectAccessReviewVersion,
    matchConditionSubjectAccessReviewVersion,
    failurePolicy,
    connectionInfo: { type, kubeConfigFile },
    matchConditions: (given.matchConditions ?? []).map(({ expression = '' }: any) => ({ expression }))
  }
}

const milliseconds = (text: string | undefined): number => (text ? (readDuration(text) as number) : 0)
