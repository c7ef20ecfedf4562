/** Requests that make the metrics of a server appear. */

const namespace = '/api/v1/namespaces/default'
const patch = type => ({ 'content-type': `application/${type}` })

const policy = {
  metadata: { name: 'compare-metrics' },
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }]
    },
    matchConditions: [{ name: 'named', expression: 'object.metadata.name.startsWith("policy-")' }],
    validations: [{ expression: 'object.metadata.name != "policy-bad"' }]
  }
}
const binding = { metadata: { name: 'compare-metrics' }, spec: { policyName: 'compare-metrics', validationActions: ['Deny'] } }
const definition = {
  metadata: { name: 'meters.compare.example.org' },
  spec: {
    group: 'compare.example.org',
    scope: 'Namespaced',
    names: { kind: 'Meter', plural: 'meters' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                'x-kubernetes-validations': [{ rule: 'self.a > 1' }],
                properties: { a: { type: 'integer' } }
              }
            }
          }
        }
      }
    ]
  }
}
const meter = a => ({ apiVersion: 'compare.example.org/v1', kind: 'Meter', metadata: { name: 'one' }, spec: { a } })
const pod = { metadata: { name: 'one' }, spec: { containers: [{ name: 'c', image: 'i' }] } }
const service = { metadata: { name: 'one' }, spec: { type: 'NodePort', ports: [{ port: 80 }] } }
const admission = '/apis/admissionregistration.k8s.io/v1'
const meters = '/apis/compare.example.org/v1/namespaces/default/meters'

/** The requests, in this order. `pause` is in milliseconds, for what the servers notice by themselves. */
export const requests = [
  { path: `${namespace}/serviceaccounts`, body: { metadata: { name: 'default' } } },
  { path: `${namespace}/configmaps`, body: { metadata: { name: 'one' }, data: { a: 'b' } } },
  { path: `${namespace}/configmaps/one` },
  { path: `${namespace}/configmaps/none` },
  { path: `${namespace}/configmaps` },
  { path: '/api/v1/configmaps?limit=1' },
  { path: '/api/v1/pods?fieldSelector=spec.nodeName%3Dn' },
  { path: '/api/v1/pods?resourceVersion=0' },
  { path: `${namespace}/configmaps/one`, method: 'PUT', body: { metadata: { name: 'one' }, data: { a: 'c' } } },
  {
    path: `${namespace}/configmaps/one?fieldValidation=Strict`,
    method: 'PATCH',
    headers: patch('merge-patch+json'),
    body: { data: { a: 'd' } }
  },
  {
    path: `${namespace}/configmaps/two?fieldManager=m`,
    method: 'PATCH',
    headers: patch('apply-patch+yaml'),
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'two' } }
  },
  { path: `${namespace}/configmaps?dryRun=All`, body: { metadata: { name: 'dry' } } },
  { path: `${namespace}/configmaps?watch=1&timeoutSeconds=1` },
  {
    path: `${namespace}/configmaps?watch=1&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`
  },
  { path: '/api/v1/configmaps?timeout=1ns' },
  { path: `${namespace}/pods`, body: pod },
  { path: `${namespace}/services`, body: service },
  { path: `${namespace}/services/one`, method: 'DELETE' },
  { path: `${namespace}/endpoints` },
  { path: '/openapi/v3' },
  { path: '/readyz' },
  { path: '/livez' },
  { path: '/api/v1/pods', headers: { authorization: 'Bearer wrong' } },
  { path: '/api/v1/pods', headers: { authorization: null } },
  { path: '/api/v1/pods', headers: { 'impersonate-user': 'alice' } },
  { path: `${namespace}/serviceaccounts/default/token`, body: { spec: {} } },
  { path: `${admission}/validatingadmissionpolicies`, body: policy },
  { path: `${admission}/validatingadmissionpolicybindings`, body: binding },
  { path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', body: definition, pause: 4000 },
  { path: `${namespace}/configmaps`, body: { metadata: { name: 'policy-bad' } } },
  { path: `${namespace}/configmaps`, body: { metadata: { name: 'other' } } },
  { path: meters, body: meter(1) },
  { path: meters, body: meter(2) }
]

export const cleaning = [
  `${admission}/validatingadmissionpolicies/compare-metrics`,
  `${admission}/validatingadmissionpolicybindings/compare-metrics`,
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/meters.compare.example.org',
  `${namespace}/pods/one?gracePeriodSeconds=0`,
  `${namespace}/configmaps`
].map(path => ({ path, method: 'DELETE' }))
