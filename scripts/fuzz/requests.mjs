// Generates random requests: paths, methods, parameters, headers and bodies, most of them almost valid.
import { emitYaml } from '../../build/apimachinery/formats/yaml-emit.js'
import { exactJson } from '../../build/util/exact-json.js'
import { objectMaker } from './objects.mjs'

const methods = ['GET', 'POST', 'POST', 'PUT', 'PATCH', 'PATCH', 'DELETE']
const oddMethods = ['HEAD', 'OPTIONS', 'TRACE', 'constructor', 'get', '']
const patchTypes = [
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/json-patch+json',
  'application/apply-patch+yaml',
  'application/apply-patch+cbor',
  'application/json'
]
const types = [
  'application/json',
  'application/json',
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
  'text/plain',
  'APPLICATION/JSON',
  'application/json; charset=utf-8',
  ';',
  '',
  'x',
  'a/b;c=d;c'
]
const accepts = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  '*/*',
  'application/*',
  'text/html',
  '',
  ',',
  ';;;',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io',
  'application/json;stream=watch',
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
  'Application/JSON',
  'application/json;q=0',
  'application/cbor'
]
const nonResource = [
  '/',
  '/api',
  '/apis',
  '/api/',
  '/apis/apps',
  '/apis/nothing',
  '/version',
  '/version/',
  '/healthz',
  '/healthz/ping',
  '/livez',
  '/livez?verbose',
  '/readyz/etcd?exclude=x',
  '/metrics',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/api/v1',
  '/openapi/v3/apis/apps/v1?hash=x',
  '/openid/v1/jwks',
  '/.well-known/openid-configuration',
  '/logs',
  '/debug/pprof/',
  '/api/v1/watch',
  '/api/v1/proxy/x',
  '//',
  '/%2e%2e/',
  '/api/v1/%',
  '*'
]
const subresources = [
  'status',
  'scale',
  'log',
  'exec',
  'attach',
  'portforward',
  'proxy',
  'proxy/x/y',
  'binding',
  'eviction',
  'token',
  'approval',
  'finalize',
  'ephemeralcontainers',
  'resize',
  'x',
  ''
]
const selectors = [
  'a=b',
  'a!=b',
  'a in (b,c)',
  'a notin (b)',
  '!a',
  'a',
  'a>5',
  'a<x',
  'a in (',
  '(((',
  ',',
  'a==b,,',
  'é=ü',
  'metadata.name=x',
  'metadata.namespace!=default',
  'status.phase=Running',
  'spec.nodeName=',
  'x\\,y=z',
  'type=Normal',
  'involvedObject.name=x',
  `${'a,'.repeat(500)}`
]
const versions = ['', '0', '1', '5', '-1', 'x', '99999999', '9223372036854775808', '1.5', '00001', '0x1']
const numbers = ['', '0', '1', '2', '-1', '1e3', 'x', '2147483648', '9223372036854775807', '9223372036854775808', ' 1']
const words = ['', 'true', 'false', '1', '0', 'True', 'x', 'All', 'None']
const parameters = {
  labelSelector: selectors,
  fieldSelector: selectors,
  resourceVersion: versions,
  resourceVersionMatch: ['Exact', 'NotOlderThan', 'x', ''],
  limit: numbers,
  continue: [
    '',
    'x',
    'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJhIn0',
    'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEsInN0YXJ0IjoiLi4vLi4vIn0',
    '////',
    'e30'
  ],
  allowWatchBookmarks: words,
  sendInitialEvents: words,
  dryRun: words,
  fieldValidation: ['Strict', 'Warn', 'Ignore', 'x', ''],
  fieldManager: ['m', '', '\u0001', 'é', 'x'.repeat(128), 'x'.repeat(129)],
  force: words,
  gracePeriodSeconds: numbers,
  propagationPolicy: ['Orphan', 'Foreground', 'Background', 'x', ''],
  orphanDependents: words,
  pretty: words,
  timeout: ['1s', '0', 'x', '', '-5s', '1h1m'],
  includeObject: ['None', 'Metadata', 'Object', 'x'],
  command: ['ls'],
  stdout: words,
  container: ['c', ''],
  follow: words,
  tailLines: numbers,
  path: ['/', '..'],
  ports: numbers,
  hash: ['x'],
  verbose: words,
  __proto__: words
}

/** `kinds`: what a server serves, as [path of the collection, type's name, kind, apiVersion]. */
export function requestMaker(next, kinds) {
  const { pick, oneIn, odd, string, name, object } = objectMaker(next)

  function query() {
    if (!oneIn(3)) return ''
    const pairs = []
    for (let n = next(4); n > 0; n--) {
      const key = pick(Object.keys(parameters))
      pairs.push(
        `${key}=${oneIn(20) ? pick(['%', '%zz', ';', '&&', '+']) : encodeURIComponent(pick(parameters[key]).toWellFormed?.() ?? 'x')}`
      )
    }
    return pairs.length > 0 ? `?${pairs.join('&')}` : ''
  }

  function escaped(segment) {
    try {
      return oneIn(15) ? segment : encodeURIComponent(segment)
    } catch {
      return '%ed'
    }
  }

  function resourcePath(collection) {
    let path = collection
    if (oneIn(25)) path = path.replace('/api', pick(['/api/v1/watch', '/Api', '//api', '/apis/x']))
    if (oneIn(12)) path = path.replace(/\/(api\/v1|apis\/[^/]+\/[^/]+)\//, `/$1/${pick(['watch', 'proxy', 'namespaces', 'x'])}/`)
    if (!oneIn(4)) path += `/${oneIn(3) ? escaped(name()) : pick(['a', 'web', 'x', 'b-1'])}`
    if (oneIn(5)) path += `/${pick(subresources)}`
    if (oneIn(25)) path += pick(['/', '//', '/..', '/%2f', '/.', '/\u00e9', '?', '#', '/x/y/z'])
    return path
  }

  function operation() {
    const pointer = () =>
      pick([
        '',
        '/',
        '/spec',
        '/spec/-',
        '/metadata/labels/l',
        '/spec/ports/0',
        '/a/~2',
        '/metadata/finalizers/-1',
        '/spec/containers/0/env/-',
        '/metadata/__proto__/x',
        '/status/conditions/99999'
      ])
    return { op: pick(['add', 'remove', 'replace', 'test', 'move', 'copy', 'x']), path: pointer(), from: pointer(), value: odd() }
  }

  function spoil(text) {
    const at = next(text.length + 1)
    if (oneIn(2)) return text.slice(0, at)
    return (
      text.slice(0, at) +
      pick([
        '{',
        '"',
        '\\',
        ',',
        '&a *a',
        '\u0000',
        ': -',
        '\n\t',
        '}]',
        '[[[[[[',
        '\ud800',
        '1e999',
        '!!binary x',
        '<<: *b',
        '%',
        '---\n'
      ]) +
      text.slice(at)
    )
  }

  function body(method, [, type, kind, apiVersion]) {
    if (oneIn(30)) return { bytes: Buffer.from(Array.from({ length: next(60) }, () => next(256))), type: pick(types) }
    const calm = !oneIn(3)
    let value = oneIn(40) ? odd() : object(type, calm)
    if (value && typeof value === 'object' && !Array.isArray(value) && !oneIn(8)) Object.assign(value, { kind, apiVersion })
    if (calm && value && typeof value === 'object')
      value.metadata = {
        name: pick(['a', 'web', 'x', 'b-1']),
        labels: { a: 'b' },
        ...(oneIn(3) ? { annotations: { a: string() }, finalizers: ['a.io/b'] } : {})
      }
    else if (value?.metadata && typeof value.metadata === 'object' && !oneIn(4)) {
      if (oneIn(2)) delete value.metadata.namespace
      for (const field of ['resourceVersion', 'uid', 'managedFields']) if (!oneIn(5)) delete value.metadata[field]
    }
    const contentType = method === 'PATCH' && !oneIn(12) ? pick(patchTypes) : calm && !oneIn(9) ? 'application/json' : pick(types)
    if (contentType === 'application/json-patch+json' && !oneIn(8)) value = Array.from({ length: next(5) }, operation)
    if (method === 'DELETE')
      value = {
        gracePeriodSeconds: pick([0, 1, null]),
        propagationPolicy: pick(['Orphan', 'Foreground', null]),
        preconditions: oneIn(3) ? { uid: string() } : null
      }
    let text = /yaml/.test(contentType) && oneIn(2) ? emitYaml(value) : (exactJson(value) ?? 'null')
    if (oneIn(calm ? 60 : 12)) text = spoil(text)
    const bytes = /protobuf/.test(contentType) ? Buffer.concat([Buffer.from('k8s\0'), Buffer.from(text)]) : Buffer.from(text)
    return { bytes, type: contentType }
  }

  function headers() {
    const out = {}
    if (oneIn(4)) out.accept = oneIn(6) ? [pick(accepts), pick(accepts)].join(',') : pick(accepts)
    if (oneIn(5)) out['accept-encoding'] = pick(['gzip', 'gzip;q=0', 'br, gzip', '*', ''])
    if (oneIn(5))
      out['user-agent'] = pick(['kubectl/v1.36', 'curl/8', 'Mozilla/5.0', '', '/', 'é'.repeat(50), 'x'.repeat(1000), '\u0001'])
    if (oneIn(60))
      out['impersonate-user'] = pick(['ann', '', 'system:serviceaccount:default:x', 'system:anonymous', 'system:node:n'])
    if (oneIn(100)) out['impersonate-group'] = pick(['g', '', 'system:masters'])
    if (oneIn(40)) out['impersonate-extra-a%2fb'] = 'v'
    if (oneIn(40))
      out.authorization = pick(['Bearer x', 'Bearer a.b.c', 'Basic eDp5', 'Bearer', 'Bearer eyJhbGciOiJub25lIn0.e30.'])
    if (oneIn(60)) out['audit-id'] = pick(['x', '', 'é', 'x'.repeat(100)])
    return out
  }

  return () => {
    const method = pick(oneIn(20) ? oddMethods : methods)
    if (oneIn(12)) return { method, url: pick(nonResource) + (oneIn(3) ? query() : ''), headers: headers() }
    const kind = pick(kinds)
    let url = method === 'POST' && !oneIn(4) ? kind[0] : resourcePath(kind[0])
    const parameters = query()
    // a watch has to end by itself
    url +=
      parameters +
      (parameters ? '&' : '?') +
      (/watch/.test(url) || oneIn(8) ? `timeoutSeconds=1&watch=${pick(['1', '0', 'false', ''])}` : '')
    const given = headers()
    if (method === 'GET' || method === 'HEAD' || (method === 'DELETE' && oneIn(2))) return { method, url, headers: given }
    const { bytes, type } = body(method, kind)
    return { method, url, headers: { ...given, 'content-type': type }, body: bytes }
  }
}
