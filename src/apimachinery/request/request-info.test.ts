import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRequestInfo, UnreadablePathError } from './request-info.js'

const cases: [method: string, url: string, expected: string][] = [
  ['GET', '/api/v1/pods', 'list v1 pods'],
  ['GET', '/api/v1/namespaces/a/pods', 'list v1 a pods'],
  ['GET', '/api/v1/namespaces/a/pods?watch=true', 'watch v1 a pods'],
  ['GET', '/api/v1/namespaces/a/pods?watch=0', 'list v1 a pods'],
  ['GET', '/api/v1/watch/namespaces/a/pods/p', 'watch v1 a pods p'],
  ['DELETE', '/api/v1/watch/namespaces/a/pods/p', 'watch v1 a pods p'],
  ['GET', '/api/v1/proxy/namespaces/a/pods/p/x', 'proxy v1 a pods p'],
  ['constructor', '/api/v1/namespaces/a/pods', 'v1 a pods'],
  ['GET', '/api/v1/namespaces/a/pods//', 'list v1 a pods'],
  ['GET', '/api/v1/namespaces/a/pods/p', 'get v1 a pods p'],
  ['GET', '/api/v1/namespaces/a/pods/%70', 'get v1 a pods p'],
  ['GET', '/api/v1/namespaces/a/pods/p/log', 'get v1 a pods p log'],
  ['GET', '/api/v1/namespaces/a/pods?fieldSelector=metadata.name%3Dp', 'list v1 a pods p'],
  ['GET', '/api/v1/namespaces/a/pods?fieldSelector=spec.nodeName%3Dn,metadata.name%3D%3Dp&watch=TRUE', 'watch v1 a pods p'],
  ['GET', '/api/v1/namespaces/a/pods?fieldSelector=metadata.name!%3Dp&watch=False', 'list v1 a pods'],
  ['GET', '/api/v1/namespaces/a/pods?fieldSelector=metadata.name%3Dp/q', 'list v1 a pods'],
  ['POST', '/apis/apps/v1/namespaces/a/deployments', 'create apps v1 a deployments'],
  ['PUT', '/apis/apps/v1/namespaces/a/deployments/d/scale', 'update apps v1 a deployments d scale'],
  ['PATCH', '/api/v1/nodes/n', 'patch v1 nodes n'],
  ['DELETE', '/api/v1/namespaces/a/pods', 'deletecollection v1 a pods'],
  ['DELETE', '/api/v1/namespaces/a', 'delete v1 a namespaces a'],
  ['GET', '/api/v1/namespaces/a', 'get v1 a namespaces a'],
  ['PUT', '/api/v1/namespaces/a/finalize', 'update v1 a namespaces a finalize'],
  ['GET', '/api/v1/namespaces', 'list v1 namespaces']
]

for (const [method, url, expected] of cases) {
  test(`${method} ${url} is ${expected}`, () => {
    const [path, query] = url.split('?')
    const info = parseRequestInfo(method, path!, new URLSearchParams(query))
    assert.equal(info.isResourceRequest, true)
    assert.equal(
      [info.verb, info.group, info.version, info.namespace, info.resource, info.name, info.subresource].filter(Boolean).join(' '),
      expected
    )
  })
}

for (const path of ['/', '/healthz', '/api', '/api/v1', '/apis/apps/v1', '/openapi/v3/apis/apps/v1', '/nothing/here/at/all']) {
  test(`${path} is no resource`, () =>
    assert.equal(parseRequestInfo('GET', path, new URLSearchParams()).isResourceRequest, false))
}

test('a verb in the path needs a resource after it', () => {
  for (const path of ['/api/v1/watch', '/apis/apps/v1/proxy/'])
    assert.throws(() => parseRequestInfo('GET', path, new URLSearchParams()), UnreadablePathError)
})
