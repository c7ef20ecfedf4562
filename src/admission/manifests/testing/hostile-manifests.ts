/** Files of admission manifests with anything in them: each is read as objects of its kind, or refused in a sentence. */
import { ConfigError } from '../../../apimachinery/config/read-config.js'
import { FeatureGates } from '../../../apimachinery/features/feature-gates.js'
import { hostileJson } from '../../../testkit/hostile-answer.js'
import { HostileValues } from '../../../testkit/hostile-values.js'
import { pick } from '../../../testkit/random.js'
import { manifestsOf, type PluginWithManifests, pluginsWithManifests } from '../plugin-manifests.js'

const apiVersion = 'admissionregistration.k8s.io/v1'
const name = 'a.static.k8s.io'
const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }]
const webhooks = [
  {
    ...{ name: 'x.example.com', clientConfig: { url: 'https://127.0.0.1/x' }, sideEffects: 'None' },
    ...{ admissionReviewVersions: ['v1'], rules, matchConditions: [{ name: 'a', expression: 'true' }] }
  }
]
const policy = { matchConstraints: { resourceRules: rules }, validations: [{ expression: 'true', message: 'a' }] }
const mutation = {
  ...{ matchConstraints: { resourceRules: rules }, reinvocationPolicy: 'Never' },
  mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } }]
}
const documents: Readonly<Record<PluginWithManifests, readonly (readonly [string, object])[]>> = {
  MutatingAdmissionPolicy: [
    ['MutatingAdmissionPolicy', { spec: mutation }],
    ['MutatingAdmissionPolicyBinding', { spec: { policyName: name } }]
  ],
  MutatingAdmissionWebhook: [['MutatingWebhookConfiguration', { webhooks }]],
  ValidatingAdmissionPolicy: [
    ['ValidatingAdmissionPolicy', { spec: policy }],
    ['ValidatingAdmissionPolicyBinding', { spec: { policyName: name, validationActions: ['Deny'] } }]
  ],
  ValidatingAdmissionWebhook: [['ValidatingWebhookConfiguration', { webhooks }]]
}
/** What a mistake of the program would say. */
const careless = /undefined|\[object|is not a function|Cannot read|NaN|Maximum call/

/** Returns what is wrong with what is read from a seed's files; undefined when nothing is. */
export function manifestProblem(seed: number): string | undefined {
  const values = new HostileValues(seed)
  const { next } = values
  const plugin = pick(next, pluginsWithManifests)
  const objects = documents[plugin].map(([kind, content]) => ({ apiVersion, kind, metadata: { name }, ...content }))
  const list = { apiVersion: 'v1', kind: 'List', items: objects }
  const texts = (next(4) === 0 ? [list] : objects).map(object => hostileJson(values, object).toString())
  const problem = (what: unknown) =>
    `manifests, seed ${seed}: ${what instanceof Error ? what.stack : what}\n${texts.map(text => text.slice(0, 1000)).join('\n---\n')}`
  const began = performance.now()
  try {
    const folder = { documents: texts.map((text, i) => ({ file: `/m/${i}.yaml`, text })), hash: '' }
    for (const found of Object.values(manifestsOf(plugin, folder, new FeatureGates())))
      for (const { metadata } of found) if (!metadata.name?.endsWith('.static.k8s.io')) return problem(`took ${metadata.name}`)
  } catch (error) {
    if (!(error instanceof ConfigError) || careless.test(error.message)) return problem(error)
  }
  const milliseconds = performance.now() - began
  return milliseconds < 5000 ? undefined : problem(`took ${milliseconds} ms`)
}
