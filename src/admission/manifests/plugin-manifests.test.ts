/** What kube-apiserver 1.36.2 says about manifests. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { FeatureGates } from '../../apimachinery/features/feature-gates.js'
import { readManifestFolder } from './folder.js'
import { manifestsOf, type PluginWithManifests } from './plugin-manifests.js'

let directory: string
before(() => (directory = mkdtempSync(join(tmpdir(), 'binnacle-manifests-'))))
after(() => rmSync(directory, { recursive: true }))

let folders = 0
async function read(plugin: PluginWithManifests, files: Readonly<Record<string, string>>) {
  const folder = join(directory, String(++folders))
  mkdirSync(folder)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  try {
    return manifestsOf(plugin, await readManifestFolder(folder), new FeatureGates())
  } catch (error) {
    throw new Error((error as Error).message.replaceAll(`${folder}/`, ''))
  }
}

const apiVersion = 'admissionregistration.k8s.io/v1'
const configuration = (name: string, webhooks: object[] = [], kind = 'ValidatingWebhookConfiguration') =>
  JSON.stringify({ apiVersion, kind, metadata: { name }, webhooks })
const hook = (clientConfig: object) => ({
  name: 'x.example.com',
  clientConfig,
  sideEffects: 'None',
  admissionReviewVersions: ['v1']
})
const policy = (spec: object, kind = 'ValidatingAdmissionPolicy') =>
  JSON.stringify({ apiVersion, kind, metadata: { name: 'a.static.k8s.io' }, spec })
const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }]
const valid = { matchConstraints: { resourceRules }, validations: [{ expression: 'true' }] }
const bound = { policyName: 'a.static.k8s.io', validationActions: ['Deny'] }

describe('manifests', () => {
  it('are read in the order of their files, and sorted by name, with defaults', async () => {
    const { validatingwebhookconfigurations: found } = await read('ValidatingAdmissionWebhook', {
      'b.yml': `---\n${configuration('b.static.k8s.io', [hook({ url: 'https://b.example' })])}\n--- # more\n${configuration('a.static.k8s.io')}`,
      'a.json': JSON.stringify({
        apiVersion: 'v1',
        kind: 'List',
        items: [{ apiVersion, kind: 'ValidatingWebhookConfigurationList', items: [{ metadata: { name: 'c.static.k8s.io' } }] }]
      }),
      'notes.txt': 'nothing to read',
      'empty.yaml': ''
    })
    assert.deepEqual(
      found!.map(({ metadata }) => metadata.name),
      ['a.static.k8s.io', 'b.static.k8s.io', 'c.static.k8s.io']
    )
    assert.equal((found![1] as any).webhooks[0].failurePolicy, 'Fail')
  })

  it('have a hash that says whether anything has changed', async () => {
    const folder = join(directory, 'hash')
    mkdirSync(folder)
    assert.equal((await readManifestFolder(folder)).hash, '')
    writeFileSync(join(folder, 'a.yaml'), 'a: 1')
    const { hash } = await readManifestFolder(folder)
    assert.match(hash, /^sha256:[0-9a-f]{64}$/)
    assert.equal((await readManifestFolder(folder)).hash, hash)
    writeFileSync(join(folder, 'a.yaml'), 'a: 2')
    assert.notEqual((await readManifestFolder(folder)).hash, hash)
  })

  const refused: [name: string, plugin: PluginWithManifests, text: string, message: string][] = [
    [
      'a name that the API may have',
      'ValidatingAdmissionWebhook',
      configuration('a'),
      '"a" in file "a.yaml" must have a name ending with ".static.k8s.io"'
    ],
    [
      'a name twice',
      'ValidatingAdmissionWebhook',
      `${configuration('a.static.k8s.io')}\n---\n${configuration('a.static.k8s.io')}`,
      'duplicate name "a.static.k8s.io" found in file "a.yaml" (previously seen in "a.yaml")'
    ],
    [
      'a Service',
      'ValidatingAdmissionWebhook',
      configuration('a.static.k8s.io', [hook({ service: { name: 'a', namespace: 'b' } })]),
      'webhook "x.example.com" in "a.static.k8s.io" (file "a.yaml"): clientConfig.service is not supported for static manifests; use clientConfig.url instead'
    ],
    [
      'an invalid object',
      'ValidatingAdmissionWebhook',
      configuration('a.static.k8s.io', [{ ...hook({ url: 'https://a.example' }), sideEffects: 'Nine' }]),
      'ValidatingWebhookConfiguration "a.static.k8s.io": webhooks[0].sideEffects: Unsupported value: "Nine": supported values: "None", "NoneOnDryRun"'
    ],
    [
      'a namespace',
      'ValidatingAdmissionWebhook',
      JSON.stringify({
        apiVersion,
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name: 'a.static.k8s.io', namespace: 'b' }
      }),
      'ValidatingWebhookConfiguration "a.static.k8s.io": metadata.namespace: Forbidden: not allowed on this type'
    ],
    [
      'a kind of another plugin',
      'ValidatingAdmissionWebhook',
      configuration('a.static.k8s.io', [], 'MutatingWebhookConfiguration'),
      'unsupported resource type *v1.MutatingWebhookConfiguration'
    ],
    [
      'another version',
      'ValidatingAdmissionPolicy',
      policy(valid).replace('/v1"', '/v1beta1"'),
      'unsupported resource type *v1beta1.ValidatingAdmissionPolicy'
    ],
    [
      'a kind of another group',
      'MutatingAdmissionWebhook',
      'apiVersion: v1\nkind: Pod',
      'no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"'
    ],
    [
      'an unknown kind in a list',
      'MutatingAdmissionWebhook',
      'apiVersion: v1\nkind: List\nitems: [{kind: Nope, apiVersion: v1}]',
      'failed to decode list item: no kind "Nope" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"'
    ],
    [
      'an unknown field',
      'ValidatingAdmissionWebhook',
      configuration('a.static.k8s.io').replace('"webhooks"', '"hooks"'),
      'strict decoding error: unknown field "hooks"'
    ],
    [
      'parameters of a policy',
      'ValidatingAdmissionPolicy',
      policy({ ...valid, paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }),
      'ValidatingAdmissionPolicy "a.static.k8s.io": spec.paramKind is not supported for static manifests'
    ],
    [
      'a binding of a policy of the API',
      'ValidatingAdmissionPolicy',
      policy({ ...bound, policyName: 'x' }, 'ValidatingAdmissionPolicyBinding'),
      'binding "a.static.k8s.io": spec.policyName "x" must end with ".static.k8s.io"'
    ],
    [
      'parameters of a binding',
      'ValidatingAdmissionPolicy',
      policy({ ...bound, paramRef: { name: 'a', parameterNotFoundAction: 'Deny' } }, 'ValidatingAdmissionPolicyBinding'),
      'binding "a.static.k8s.io": spec.paramRef is not supported for static manifests'
    ]
  ]
  for (const [name, plugin, text, message] of refused)
    it(`may not have ${name}`, () =>
      assert.rejects(read(plugin, { 'a.yaml': text }), { message: `error loading a.yaml: ${message}` }))

  it('may not have a binding without its policy', () =>
    assert.rejects(read('ValidatingAdmissionPolicy', { 'a.yaml': policy(bound, 'ValidatingAdmissionPolicyBinding') }), {
      message: 'binding "a.static.k8s.io" references policy "a.static.k8s.io" which does not exist in the manifest directory'
    }))

  it('may not have text after a separator', () =>
    assert.rejects(read('ValidatingAdmissionPolicy', { 'a.yaml': 'a: 1\n--- b: 2\n' }), {
      message: /^failed to split YAML documents in file ".*a.yaml": invalid Yaml document separator: b: 2$/
    }))
})
