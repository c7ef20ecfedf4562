/** Requests of many sorts for the comparison of audit events: { name, path, method, headers, body, as }. */
import { sample } from './samples.mjs'

const ns = '/api/v1/namespaces/$NS'
const json = 'application/json'
const typed = type => ({ 'content-type': type })
const accept = type => ({ accept: type })
const table = accept('application/json;as=Table;g=meta.k8s.io;v=v1')
const protobuf = accept('application/vnd.kubernetes.protobuf')
const merge = typed('application/merge-patch+json')
const options = fields => ({ kind: 'DeleteOptions', apiVersion: 'v1', ...fields })
const foo = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'foos.$RUN.example.com' },
  spec: {
    group: '$RUN.example.com',
    names: { plural: 'foos', kind: 'Foo' },
    scope: 'Namespaced',
    versions: ['v1', 'v1beta1'].map(name => ({
      name,
      served: true,
      storage: name === 'v1',
      deprecated: name === 'v1beta1',
      subresources: { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: { type: 'object', properties: { a: { type: 'string', default: 'x' }, n: { type: 'integer' } } },
            status: { type: 'object', properties: { n: { type: 'integer' } } }
          }
        }
      }
    }))
  }
}
const foos = version => `/apis/$RUN.example.com/${version}/namespaces/$NS/foos`
const container = { containers: [{ name: 'c', image: 'i' }] }

export const written = [
  { name: 'create', path: `${ns}/configmaps`, body: { metadata: { name: 'a', labels: { x: '1' } }, data: { k: '<&>' } } },
  { name: 'create with the same name', path: `${ns}/configmaps`, body: { metadata: { name: 'a' } } },
  {
    name: 'create with fields of the server',
    path: `${ns}/configmaps`,
    body: {
      metadata: {
        generateName: 'gen-',
        namespace: '$NS',
        uid: 'u1',
        creationTimestamp: '2020-01-01T00:00:00Z',
        managedFields: [{ manager: 'q' }],
        finalizers: []
      },
      data: {}
    }
  },
  { name: 'another namespace', path: `${ns}/configmaps`, body: { metadata: { name: 'b', namespace: 'other' } } },
  {
    name: 'yaml',
    path: `${ns}/configmaps`,
    headers: typed('application/yaml'),
    body: 'metadata: {name: "y"}\nbinaryData: {a: aGk=}'
  },
  { name: 'wrong yaml', path: `${ns}/configmaps`, headers: typed('application/yaml'), body: 'metadata: {name: y}' },
  { name: 'not json', path: `${ns}/configmaps`, body: '{' },
  { name: 'unknown field', path: `${ns}/configmaps?fieldValidation=Strict`, body: '{"metadata":{"name":"z"},"foo":1}' },
  { name: 'invalid', path: `${ns}/configmaps`, body: { metadata: { name: 'Not_Valid' } } },
  { name: 'wrong options', path: `${ns}/configmaps?dryRun=Some`, body: { metadata: { name: 'o' } } },
  { name: 'wrong kind', path: `${ns}/configmaps`, body: { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'k' } } },
  { name: 'wrong media type', path: `${ns}/configmaps`, headers: typed('text/plain'), body: 'x' },
  { name: 'dry run', path: `${ns}/configmaps?dryRun=All`, body: { metadata: { name: 'dry' } } },
  { name: 'update', method: 'PUT', path: `${ns}/configmaps/a`, body: { metadata: { name: 'a' }, data: { k: '2' } } },
  { name: 'conflict', method: 'PUT', path: `${ns}/configmaps/a`, body: { metadata: { name: 'a', resourceVersion: '1' } } },
  { name: 'wrong uid', method: 'PUT', path: `${ns}/configmaps/a`, body: { metadata: { name: 'a', uid: 'bad' } } },
  { name: 'wrong name', method: 'PUT', path: `${ns}/configmaps/a`, body: { metadata: { name: 'b' } } },
  { name: 'update of nothing', method: 'PUT', path: `${ns}/configmaps/none`, body: { metadata: { name: 'none' } } },
  { name: 'merge patch', method: 'PATCH', path: `${ns}/configmaps/a`, headers: merge, body: '{ "data": {"k":"3", "k":"<4>"} }' },
  {
    name: 'json patch',
    method: 'PATCH',
    path: `${ns}/configmaps/a`,
    headers: typed('application/json-patch+json'),
    body: [{ op: 'add', path: '/data/z', value: '1' }]
  },
  { name: 'broken patch', method: 'PATCH', path: `${ns}/configmaps/a`, headers: merge, body: '{nope' },
  { name: 'patch of nothing', method: 'PATCH', path: `${ns}/configmaps/none`, headers: merge, body: '{}' },
  { name: 'unknown patch', method: 'PATCH', path: `${ns}/configmaps/a`, headers: typed('text/plain'), body: '{}' },
  {
    name: 'apply',
    method: 'PATCH',
    path: `${ns}/configmaps/ap?fieldManager=me`,
    headers: typed('application/apply-patch+yaml'),
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'ap' }, data: { a: 'b' } }
  },
  {
    name: 'apply of yaml',
    method: 'PATCH',
    path: `${ns}/configmaps/ay?fieldManager=me`,
    headers: typed('application/apply-patch+yaml'),
    body: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ay\n'
  },
  { name: 'get', path: `${ns}/configmaps/a` },
  { name: 'get pretty', path: `${ns}/configmaps/a?pretty=true` },
  { name: 'get yaml', path: `${ns}/configmaps/a`, headers: accept('application/yaml') },
  { name: 'get protobuf', path: `${ns}/configmaps/a`, headers: protobuf },
  { name: 'get table', path: `${ns}/configmaps/a`, headers: table },
  {
    name: 'get metadata',
    path: `${ns}/configmaps/a`,
    headers: accept('application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1')
  },
  { name: 'get nothing', path: `${ns}/configmaps/none` },
  { name: 'get compressed', path: `${ns}/configmaps`, headers: { 'accept-encoding': 'gzip' } },
  { name: 'list', path: `${ns}/configmaps?labelSelector=x%3D1&limit=5` },
  { name: 'list of none', path: `${ns}/configmaps?labelSelector=none` },
  { name: 'list pretty', path: `${ns}/configmaps?labelSelector=x&pretty=1` },
  { name: 'list yaml', path: `${ns}/configmaps?labelSelector=x`, headers: accept('application/yaml') },
  { name: 'list protobuf', path: `${ns}/configmaps?labelSelector=x`, headers: protobuf },
  { name: 'list table', path: `${ns}/configmaps?labelSelector=x`, headers: table },
  { name: 'list by name', path: `${ns}/configmaps?fieldSelector=metadata.name%3Da` },
  {
    name: 'list metadata',
    path: `${ns}/configmaps?labelSelector=x`,
    headers: accept('application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1')
  },
  { name: 'list across namespaces', path: '/api/v1/configmaps?labelSelector=x' },
  { name: 'wrong selector', path: `${ns}/configmaps?labelSelector=%3D%3D` },
  { name: 'watch', path: `${ns}/configmaps?watch=1&timeoutSeconds=1` },
  { name: 'watch of a deprecated version', path: `${ns}/endpoints?watch=1&timeoutSeconds=1` },
  { name: 'watch path', path: `/api/v1/watch/namespaces/$NS/configmaps?timeoutSeconds=1` },
  { name: 'deprecated', path: `${ns}/endpoints` },
  { name: 'not acceptable', path: `${ns}/configmaps/a`, headers: accept('image/png') },
  { name: 'head', method: 'HEAD', path: `${ns}/configmaps/a` },
  { name: 'options', method: 'OPTIONS', path: `${ns}/configmaps/a` },
  { name: 'post to an object', method: 'POST', path: `${ns}/configmaps/a`, body: {} },
  { name: 'no such resource', path: `${ns}/nothings` },
  { name: 'no such group', path: '/apis/nothing.example.com/v1/things' },
  { name: 'no such version', path: '/apis/apps/v7/deployments' },
  { name: 'no such path', path: '/nope' },
  { name: 'odd query', path: `${ns}/configmaps/a?a=|b&c=<d>"` },
  { name: 'odd path', path: `${ns}/configmaps/y%7cy|z` },
  { name: 'discovery of a version', path: '/api/v1' },
  { name: 'discovery of groups', path: '/apis' },
  {
    name: 'aggregated discovery',
    path: '/apis',
    headers: accept('application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList')
  },
  { name: 'discovery of a group', path: '/apis/apps' },
  { name: 'root', path: '/' },
  { name: 'version', path: '/version' },
  { name: 'version of nobody', path: '/version', as: '' },
  { name: 'health', path: '/livez' },
  { name: 'openapi', path: '/openapi/v3' },
  { name: 'refused', path: `${ns}/pods`, as: 'alice-token' },
  { name: 'refused path', path: '/metrics', as: 'alice-token' },
  { name: 'refused create', path: `${ns}/configmaps`, as: 'alice-token', body: { metadata: { name: 'r' } } },
  { name: 'nobody', path: `${ns}/pods`, as: '' },
  { name: 'wrong token', path: `${ns}/pods`, as: 'wrong' },
  { name: 'wrong token, no form', path: `${ns}/pods`, as: 'wrong', headers: accept('image/png') },
  { name: 'wrong password, no form', path: `${ns}/pods`, headers: { ...accept('image/png'), authorization: 'Basic YTpi' } },
  { name: 'wrong timeout', path: `${ns}/configmaps/a?timeout=abc` },
  { name: 'impersonated', path: `${ns}/configmaps/a`, headers: { 'impersonate-user': 'bob', 'impersonate-group': 'dev' } },
  {
    name: 'impersonated with extra',
    path: `${ns}/configmaps/a`,
    headers: {
      'impersonate-user': 'bob',
      'impersonate-uid': 'u',
      'impersonate-extra-zed': '1',
      'impersonate-extra-example.com%2fscope': ['a', 'b']
    }
  },
  {
    name: 'role for impersonation',
    path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    body: {
      metadata: { name: '$RUN-imp' },
      rules: [
        { apiGroups: ['authentication.k8s.io'], resources: ['users'], verbs: ['impersonate:user-info'] },
        { apiGroups: [''], resources: ['configmaps'], verbs: ['impersonate-on:user-info:get'] }
      ]
    },
    pause: true
  },
  {
    name: 'binding for impersonation',
    path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    body: {
      metadata: { name: '$RUN-imp' },
      roleRef: { kind: 'ClusterRole', name: '$RUN-imp', apiGroup: 'rbac.authorization.k8s.io' },
      subjects: [{ kind: 'User', name: 'alice', apiGroup: 'rbac.authorization.k8s.io' }]
    },
    pause: true
  },
  { name: 'constrained impersonation', path: `${ns}/configmaps/a`, as: 'alice-token', headers: { 'impersonate-user': 'bob' } },
  { name: 'impersonation refused', path: `${ns}/pods`, as: 'alice-token', headers: { 'impersonate-user': 'bob' } },
  { name: 'impersonation of no name', path: `${ns}/pods`, headers: { 'impersonate-group': 'g' } },
  {
    name: 'through proxies',
    path: `${ns}/configmaps/a`,
    headers: {
      'x-forwarded-for': '192.0.2.1, junk, 192.0.2.010,::ffff:192.0.2.3',
      'x-real-ip': '2001:DB8:0:0::1',
      'user-agent': 'agent/1 (test)'
    }
  },
  { name: 'long agent', path: `${ns}/configmaps/a`, headers: { 'user-agent': 'x'.repeat(1100) } },
  { name: 'no agent', path: `${ns}/configmaps/a`, headers: { 'user-agent': null } },
  { name: 'quoting agent', path: `${ns}/configmaps/a`, headers: { 'user-agent': 'a"b\\c\td<e>&é' } },
  { name: 'account', path: `${ns}/serviceaccounts`, body: { metadata: { name: 'sa' } } },
  { name: 'token', path: `${ns}/serviceaccounts/sa/token`, body: { spec: {} } },
  { name: 'token of nothing', path: `${ns}/serviceaccounts/none/token`, body: { spec: {} } },
  { name: 'secret', path: `${ns}/secrets`, body: { metadata: { name: 's' }, stringData: { p: 'w' } } },
  {
    name: 'pod',
    path: `${ns}/pods`,
    body: { metadata: { name: 'p1' }, spec: { ...container, automountServiceAccountToken: false } }
  },
  {
    name: 'pod without a ServiceAccount',
    path: `${ns}/pods`,
    body: { metadata: { name: 'p2' }, spec: { ...container, serviceAccountName: 'no' } }
  },
  { name: 'binding', path: `${ns}/pods/p1/binding`, body: { metadata: { name: 'p1' }, target: { kind: 'Node', name: 'n1' } } },
  { name: 'wrong binding', path: `${ns}/pods/p1/binding`, body: { target: { kind: 'Node', name: 'n1' } } },
  { name: 'pod log', path: `${ns}/pods/none/log` },
  { name: 'exec', method: 'POST', path: `${ns}/pods/none/exec?command=ls&stdout=1` },
  { name: 'attach', path: `${ns}/pods/none/attach` },
  { name: 'pod proxy', path: `${ns}/pods/none/proxy/x` },
  { name: 'status', path: `${ns}/pods/p1/status` },
  {
    name: 'status patched',
    method: 'PATCH',
    path: `${ns}/pods/p1/status`,
    headers: merge,
    body: { status: { phase: 'Running' } }
  },
  { name: 'ephemeral containers', path: `${ns}/pods/p1/ephemeralcontainers` },
  {
    name: 'eviction',
    path: `${ns}/pods/p1/eviction`,
    body: { metadata: { name: 'p1' }, deleteOptions: { gracePeriodSeconds: 0 } }
  },
  {
    name: 'deployment',
    path: '/apis/apps/v1/namespaces/$NS/deployments?fieldManager=me',
    body: {
      metadata: { name: 'd' },
      spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec: container } }
    }
  },
  { name: 'scale', path: '/apis/apps/v1/namespaces/$NS/deployments/d/scale' },
  {
    name: 'scale written',
    method: 'PUT',
    path: '/apis/apps/v1/namespaces/$NS/deployments/d/scale',
    body: { metadata: { name: 'd' }, spec: { replicas: 2 } }
  },
  {
    name: 'scale patched',
    method: 'PATCH',
    path: '/apis/apps/v1/namespaces/$NS/deployments/d/scale',
    headers: merge,
    body: { spec: { replicas: 3 } }
  },
  {
    name: 'deployment deleted',
    method: 'DELETE',
    path: '/apis/apps/v1/namespaces/$NS/deployments/d',
    body: options({ propagationPolicy: 'Orphan' })
  },
  { name: 'definition', path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', body: foo, pause: true },
  {
    name: 'custom resource',
    path: foos('v1'),
    body: { apiVersion: '$RUN.example.com/v1', kind: 'Foo', metadata: { name: 'f' }, spec: { n: 1, b: 2 } }
  },
  { name: 'custom resource read', path: `${foos('v1')}/f` },
  { name: 'custom resource, deprecated', path: `${foos('v1beta1')}/f` },
  { name: 'custom resources', path: foos('v1') },
  { name: 'custom resource as table', path: `${foos('v1')}/f`, headers: table },
  {
    name: 'custom resource replaced',
    method: 'PUT',
    path: `${foos('v1')}/f`,
    body: { apiVersion: '$RUN.example.com/v1', kind: 'Foo', metadata: { name: 'f', resourceVersion: '1' }, spec: {} }
  },
  { name: 'custom resource patched', method: 'PATCH', path: `${foos('v1')}/f`, headers: merge, body: { spec: { a: 'q' } } },
  { name: 'custom resource status', method: 'PATCH', path: `${foos('v1')}/f/status`, headers: merge, body: { status: { n: 2 } } },
  { name: 'custom resource scale', path: `${foos('v1')}/f/scale` },
  {
    name: 'custom resource invalid',
    path: foos('v1'),
    body: { apiVersion: '$RUN.example.com/v1', kind: 'Foo', metadata: { name: 'g' }, spec: { a: 1 } }
  },
  {
    name: 'custom resource deleted',
    method: 'DELETE',
    path: `${foos('v1')}/f`,
    body: { kind: 'DeleteOptions', apiVersion: '$RUN.example.com/v1' }
  },
  {
    name: 'definition deleted',
    method: 'DELETE',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/foos.$RUN.example.com'
  },
  {
    name: 'delete with options',
    method: 'DELETE',
    path: `${ns}/configmaps/a`,
    body: options({ propagationPolicy: 'Background' })
  },
  {
    name: 'delete of a version',
    method: 'DELETE',
    path: `${ns}/configmaps/ap`,
    body: options({ preconditions: { resourceVersion: '1' } })
  },
  { name: 'delete of nothing', method: 'DELETE', path: `${ns}/configmaps/none` },
  { name: 'delete with options in the query', method: 'DELETE', path: `${ns}/configmaps/ap?gracePeriodSeconds=0` },
  { name: 'wrong delete options', method: 'DELETE', path: `${ns}/configmaps/ap`, body: options({ propagationPolicy: 'No' }) },
  { name: 'collection deleted, dry', method: 'DELETE', path: `${ns}/configmaps`, body: options({ dryRun: ['All'] }) },
  { name: 'collection deleted', method: 'DELETE', path: `${ns}/configmaps` },
  { name: 'collection of none deleted', method: 'DELETE', path: `${ns}/secrets?labelSelector=none%3Dnone` }
].map(request => ({ ...request, headers: { accept: json, ...request.headers } }))

/** For each resource: writes of a small object, reads, and a delete. */
export function ofEachResource(cluster) {
  const requests = []
  for (const resource of cluster.resources) {
    if (['componentstatuses', 'apiservices', 'namespaces', 'customresourcedefinitions'].includes(resource.resource)) continue
    const { group, version, verbs } = resource
    const name = what => `${what} of ${resource.resource} ${group}/${version}`
    const body = JSON.parse(JSON.stringify(sample(resource)).replaceAll('$ID', '$RUN'))
    const path = cluster.pathOf(resource, body.metadata.name)
    const collection = cluster.pathOf(resource)
    if (verbs.includes('create')) requests.push({ name: name('create'), path: collection, body })
    if (verbs.includes('get')) requests.push({ name: name('get'), path })
    const own = `fieldSelector=metadata.name%3D${body.metadata.name}`
    if (verbs.includes('list'))
      requests.push(
        { name: name('list'), path: `${collection}?${own}` },
        { name: name('table'), path: `${collection}?${own}`, headers: table }
      )
    if (verbs.includes('update')) requests.push({ name: name('update'), method: 'PUT', path, body })
    if (verbs.includes('patch'))
      requests.push({
        name: name('patch'),
        method: 'PATCH',
        path,
        headers: merge,
        body: { metadata: { labels: { changed: 'yes' } } }
      })
    for (const subresource of resource.subresources)
      if (subresource.verbs.includes('get') && !['proxy', 'exec', 'attach', 'portforward', 'log'].includes(subresource.name))
        requests.push({ name: name(subresource.name), path: `${path}/${subresource.name}` })
    if (verbs.includes('delete'))
      requests.push({ name: name('delete'), method: 'DELETE', path, body: options({ gracePeriodSeconds: 0 }) })
  }
  return requests
}
