import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defineKind, kindRef } from '../../index.js'
import { portless } from '../testing/portless.js'
import { defineOperator, defineReconciler, defineWatch, manifestsOf } from './index.js'
import { resourceOf } from './kinds.js'

const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
const course = defineKind({
  group: 'school.example.com',
  kind: 'Course',
  resource: 'courses',
  versions: [
    { name: 'v1', schema, subresources: { status: {} } },
    // a JSON Schema by itself
    { name: 'v1beta1', schema: schema.openAPIV3Schema }
  ]
})
const operator = defineOperator({
  name: 'school',
  kinds: [course],
  reconcilers: [
    defineReconciler({
      for: course,
      owns: [kindRef('v1', 'ConfigMap'), { kind: kindRef('networking.k8s.io/v1', 'NetworkPolicy') }],
      watches: [defineWatch({ kind: kindRef('v1', 'Node'), map: () => [] })],
      cache: [{ kind: kindRef('v1', 'ConfigMap') }, { kind: kindRef('v1', 'Pod') }],
      reconcile() {}
    })
  ],
  webhooks: [{ kind: course, validate() {} }],
  conversions: [{ kind: course, hub: 'v1', versions: { v1beta1: { toHub: o => o, fromHub: o => o } } }],
  permissions: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }]
})

describe('the manifests of an operator', () => {
  test('say what it may do, as its reconcilers need it', () => {
    const role = manifestsOf(operator).find(({ kind }) => kind === 'ClusterRole')!
    assert.deepEqual(role.rules, [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'] },
      { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
      { apiGroups: [''], resources: ['nodes', 'pods'], verbs: ['get', 'list', 'watch'] },
      {
        apiGroups: ['admissionregistration.k8s.io'],
        resources: ['validatingwebhookconfigurations'],
        resourceNames: ['school'],
        verbs: ['get', 'list', 'update', 'watch']
      },
      {
        apiGroups: ['apiextensions.k8s.io'],
        resources: ['customresourcedefinitions'],
        resourceNames: ['courses.school.example.com'],
        verbs: ['get', 'list', 'update', 'watch']
      },
      {
        apiGroups: ['networking.k8s.io'],
        resources: ['networkpolicies'],
        verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch']
      },
      { apiGroups: ['school.example.com'], resources: ['courses'], verbs: ['get', 'list', 'patch', 'update', 'watch'] },
      { apiGroups: ['school.example.com'], resources: ['courses/finalizers'], verbs: ['update'] },
      { apiGroups: ['school.example.com'], resources: ['courses/status'], verbs: ['get', 'patch', 'update'] },
      { nonResourceURLs: ['/metrics'], verbs: ['get'] }
    ])
    const own = manifestsOf(operator).find(({ kind }) => kind === 'Role')!
    assert.deepEqual(own.rules, [
      { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['school-webhooks'], verbs: ['get', 'list', 'update', 'watch'] },
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create'] },
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], resourceNames: ['school'], verbs: ['get', 'update'] }
    ])
  })

  test('are applied as they are, without a warning about their fields', async t => {
    const server = await portless(t)
    const client = server.client()
    const manifests = manifestsOf(operator, { image: 'registry.example.com/school:1', namespace: 'school' })
    const applied = await client.apply(manifests)
    assert.deepEqual(
      applied.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
      [
        'CustomResourceDefinition courses.school.example.com',
        'Namespace school',
        'ServiceAccount school',
        'ClusterRole school',
        'ClusterRoleBinding school',
        'Role school',
        'RoleBinding school',
        'Deployment school',
        'Service school-webhooks',
        'ValidatingWebhookConfiguration school'
      ]
    )
    for (const manifest of manifests) {
      const { apiVersion, kind, metadata } = manifest
      // with strict validation, a field that does not exist is refused
      await client.untyped(apiVersion, kind).apply(manifest as never, { fieldValidation: 'Strict', dryRun: true, force: true })
      assert.ok(metadata.name)
    }
    const deployment = await client.of('apps/v1', 'Deployment').get('school', { namespace: 'school' })
    assert.equal(deployment.spec.template.spec.containers![0]!.image, 'registry.example.com/school:1')
  })

  test('name the resources of all built-in kinds', async t => {
    const server = await portless(t)
    const client = server.client()
    const { groups } = (await client.request({ url: '/apis' })).json()
    const versions = ['v1', ...groups.flatMap((group: any) => group.versions.map((version: any) => version.groupVersion))]
    let seen = 0
    for (const apiVersion of versions) {
      const { resources } = (await client.request({ url: `/${apiVersion === 'v1' ? 'api' : 'apis'}/${apiVersion}` })).json()
      for (const { name, kind } of resources) {
        if (name.includes('/')) continue
        seen++
        assert.equal(resourceOf({ apiVersion, kind }).resource, name)
      }
    }
    assert.ok(seen > 60, String(seen))
  })
})
