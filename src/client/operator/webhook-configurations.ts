/** The objects by which an API server learns of an operator's webhooks. */
import { type DefinitionManifest, definitionOf, resourceOf, withoutUndefined } from './kinds.js'
import { namespaceOf, type Operator } from './operator.js'
import { conversionPath, type Webhook, type WebhookVerb, webhookPath } from './webhook.js'

/** How an API server reaches a path of the webhooks: by their Service, or by an address. */
export type Reach = (path: string) => object

/** The name of the Service of an operator's webhooks. */
export const serviceName = ({ name }: Operator): string => `${name}-webhooks`

/** The hosts for which the certificate of the webhooks is, when they are reached by their Service. */
export const serviceHosts = (operator: Operator, namespace: string): string[] => {
  const host = `${serviceName(operator)}.${namespace}.svc`
  return [host, `${host}.cluster.local`]
}

export const byService =
  (operator: Operator, namespace = namespaceOf(operator)): Reach =>
  path => ({ service: { name: serviceName(operator), namespace, path, port: 443 } })

export const byUrl =
  (url: string, caBundle: string): Reach =>
  path => ({ url: `${url}${path}`, caBundle })

const kinds = { mutate: 'MutatingWebhookConfiguration', validate: 'ValidatingWebhookConfiguration' } as const

/** The configurations of admission webhooks: one for those that change objects, and one for those that validate. */
export function configurationsOf(operator: Operator, reach: Reach): object[] {
  const { webhooks = [] } = operator
  return (['mutate', 'validate'] as const).flatMap(verb => {
    const own = webhooks.filter(webhook => webhook[verb])
    if (own.length === 0) return []
    return {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: kinds[verb],
      metadata: { name: operator.name },
      webhooks: own.map(webhook => configuredWebhook(webhook, verb, reach))
    }
  })
}

function configuredWebhook(webhook: Webhook, verb: WebhookVerb, reach: Reach): object {
  const { group, version, resource } = resourceOf(webhook.kind)
  const { operations = ['CREATE', 'UPDATE'], subresource } = webhook
  const about = subresource === undefined ? resource : `${resource}/${subresource}`
  return withoutUndefined({
    // a domain name of at least three parts
    name: `${verb}.${version}.${about.replaceAll('/', '.')}.${group || 'core'}`,
    admissionReviewVersions: ['v1'],
    clientConfig: reach(webhookPath(verb, webhook)),
    rules: [{ apiGroups: [group], apiVersions: [version], operations, resources: [about], scope: '*' }],
    failurePolicy: webhook.failurePolicy ?? 'Fail',
    matchPolicy: webhook.matchPolicy ?? 'Equivalent',
    sideEffects: webhook.sideEffects ?? 'None',
    timeoutSeconds: webhook.timeoutSeconds ?? 10,
    namespaceSelector: webhook.namespaceSelector,
    objectSelector: webhook.objectSelector,
    matchConditions: webhook.matchConditions,
    reinvocationPolicy: verb === 'mutate' ? (webhook.reinvocationPolicy ?? 'Never') : undefined
  })
}

/** The definitions of the kinds that the operator brings along, with the webhook that converts their objects. */
export function definitionsOf(operator: Operator, reach: Reach): DefinitionManifest[] {
  const { conversions = [] } = operator
  return (operator.kinds ?? []).map(kind => {
    const definition = definitionOf(kind)
    const { group, names } = definition.spec
    if (!conversions.some(conversion => conversion.kind.group === group && conversion.kind.kind === names.kind)) return definition
    const webhook = { clientConfig: reach(conversionPath), conversionReviewVersions: ['v1'] }
    return { ...definition, spec: { ...definition.spec, conversion: { strategy: 'Webhook', webhook } } }
  })
}
