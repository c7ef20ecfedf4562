/** Single texts as large as they may be that hold a list: in the query, in headers, and in the fields of objects. */
const maps = '/api/v1/namespaces/default/configmaps'
const shown = ({ status, body }) => `${status} ${body.subarray(0, 110)}`
const repeat = (what, bytes) => what.repeat(Math.floor(bytes / what.length))
/** A list of different items. */
const many = (make, bytes, between = ',') => {
  const items = []
  for (let i = 0, length = 0; length < bytes; i++) length += items[items.push(make(i)) - 1].length + between.length
  items.pop()
  return items.join(between)
}
/** Just below what the head of a request may have. */
const head = 900_000
const body = 2_900_000
const get =
  (path, headers = {}, more = {}) =>
  async target =>
    shown(
      await target.send(
        'GET',
        typeof path === 'function' ? path() : path,
        undefined,
        typeof headers === 'function' ? headers() : headers,
        more
      )
    )
const anonymous = { cert: undefined, key: undefined, agent: undefined, rejectUnauthorized: false }
const asked = (parameters, more) => get(`/api/v1/pods?watch=1&${parameters}`, {}, more)
const header = (name, value, path = maps) => get(path, () => ({ [name]: value() }))
const post =
  (path, object, type = 'application/json') =>
  async target =>
    shown(await target.send('POST', path, object(), { 'content-type': type }))
const patch = (path, object, type) => async target => shown(await target.send('PATCH', path, object(), { 'content-type': type }))
const review = spec =>
  post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', () => ({
    spec: { resourceAttributes: { verb: 'list', resource: 'pods', ...spec() } }
  }))
const metadata = { name: 'a' }

export const options = { featureGates: { ShardedListAndWatch: true } }

export async function prepare(target) {
  await target.send('POST', maps, { metadata: { name: 'patched' }, data: { a: 'b' } })
}

export const probes = {
  'a field selector, of anybody': asked(`fieldSelector=${repeat('a=,', head)}`, anonymous),
  'a field selector of names, of anybody': asked(`fieldSelector=${many(i => `metadata.name=n${i}`, head)}`, anonymous),
  'a field selector of 5,000': asked(`fieldSelector=${many(i => `metadata.name=n${i}`, 100_000)}`, anonymous),
  'a label selector, of anybody': asked(`labelSelector=${many(i => `a${i}`, head)}`, anonymous),
  'a label selector of one set': asked(`labelSelector=a%20in%20(${many(i => `-${i}`, head)})`),
  'a label selector of 5,000 mistakes': asked(`labelSelector=a%20in%20(${many(i => `-${i}`, 28_000)})`),
  'a label selector of blanks': asked(`labelSelector=${repeat('+', head)}a`),
  'a label selector of one word': asked(`labelSelector=${repeat('a', head)}`),
  'a label selector of parentheses': asked(`labelSelector=${repeat('(', head)}`),
  'a selector of shards': get(
    `/api/v1/pods?shardSelector=${many(i => `shardRange(object.metadata.uid,'0x${String(i).padStart(16, '0')}','0x${String(i + 1).padStart(16, '0')}')`, head, '||')}`
  ),
  'a selector of shards of parentheses': get(`/api/v1/pods?shardSelector=${repeat('(', head)}`),
  'a filter': asked(`binnacle.filter=${many(i => `a${i}`, head, '||')}`),
  'an order': get(`${maps}?binnacle.orderBy=${many(i => `data.a${i}`, head)}`),
  parameters: asked(
    many(i => `a${i}=b`, head, '&'),
    anonymous
  ),
  'parameters with one name': asked(repeat('fieldSelector=a&', head), anonymous),
  'parameters with broken escapes': asked(repeat('a=%&', head), anonymous),
  'parameters of escapes': asked(`a=${repeat('%41', head)}`, anonymous),
  'slashes in the path': get(`/apis/${repeat('a/', head)}`, {}, anonymous),
  'slashes at the end of the path': get(`/apis/a/v1/${repeat('/', head)}`, {}, anonymous),
  'escapes in the path': get(`/apis/${repeat('%2f', head)}`, {}, anonymous),
  'field managers': post(`${maps}?fieldManager=${repeat('a', head)}`, () => ({ metadata })),
  'dry runs': post(`${maps}?${repeat('dryRun=All&', head)}`, () => ({ metadata })),
  Accept: header('accept', () => many(i => `application/x${i};q=0.${i}`, head)),
  'Accept of one type with parameters': header('accept', () => `application/json${many(i => `;a${i}=b`, head, '')}`),
  'Accept of Tables': header('accept', () => repeat('application/json;as=Table;v=v2;g=meta.k8s.io,', head)),
  'Accept of commas': header('accept', () => repeat(',', head)),
  'Accept of quotes': header('accept', () => repeat('a/b;c="\\"",', head)),
  'Accept of discovery': header(
    'accept',
    () => repeat('application/json;g=apidiscovery.k8s.io;v=v3;as=APIGroupDiscoveryList,', head),
    '/apis'
  ),
  'Accept of OpenAPI': header('accept', () => repeat('application/com.github.proto-openapi.spec.v3@v1.0,', head), '/openapi/v3'),
  'Accept of metrics': header('accept', () => repeat('application/openmetrics-text;version=9.0.0,', head), '/metrics'),
  'Accept-Encoding': header('accept-encoding', () => many(i => `g${i};q=0.1`, head)),
  'Accept-Encoding of blanks': header('accept-encoding', () => `a${repeat(' ', head)}b`),
  'Content-Type': async target =>
    shown(await target.send('POST', maps, '{}', { 'content-type': `application/json;${repeat(' a=b;', head)}` })),
  'many Impersonate-Group': get(maps, () => ({
    'impersonate-user': 'a',
    'impersonate-group': Array.from({ length: 9000 }, (_, i) => `group-${i}`)
  })),
  'many groups of service accounts': get(maps, () => ({
    'impersonate-user': 'a',
    'impersonate-group': Array.from({ length: 9000 }, (_, i) => `system:serviceaccounts:${i}`)
  })),
  'many Impersonate-Extra': get(maps, () => ({
    'impersonate-user': 'a',
    ...Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`impersonate-extra-a${i}%2fb`, ['a', 'b', 'c']]))
  })),
  'Impersonate-Extra of escapes': get(maps, () => ({
    'impersonate-user': 'a',
    [`impersonate-extra-${repeat('%41', head)}`]: 'b'
  })),
  'many X-Remote-Group, of anybody': get(
    maps,
    () => ({ 'x-remote-user': 'a', 'x-remote-group': Array.from({ length: 9000 }, (_, i) => `group-${i}`) }),
    anonymous
  ),
  Cookie: header('cookie', () => many(i => `a${i}=b`, head, '; ')),
  'User-Agent': header('user-agent', () => repeat('a/b (', head)),
  'User-Agent of slashes': header('user-agent', () => repeat('/', head)),
  'Authorization of blanks': header('authorization', () => `Bearer ${repeat('a ', head)}`),
  'Authorization of dots': header('authorization', () => `Bearer ${repeat('a.', head)}`),
  Origin: header('origin', () => `http://${repeat('a.', head)}`),
  'If-None-Match': header('if-none-match', () => many(i => `"${i}"`, head), '/openapi/v2'),
  Range: header('range', () => `bytes=${many(i => `${i}-${i}`, head)}`, '/openapi/v2'),
  'Traceparent and baggage': get(maps, () => ({
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    tracestate: many(i => `a${i}=b`, head / 2),
    baggage: many(i => `a${i}=b`, head / 2)
  })),
  'WebSocket protocols': async target => {
    const socket = await target.connect()
    const upgrade =
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='
    const protocols = many(i => `a${i}`, head)
    socket.write(`GET ${maps}?watch=1 HTTP/1.1\r\nHost: x\r\n${upgrade}\r\nSec-WebSocket-Protocol: ${protocols}\r\n\r\n`)
    const answer = await new Promise(resolve => socket.once('data', resolve).once('close', () => resolve('closed')))
    socket.destroy()
    return String(answer).slice(0, 110)
  },
  Connection: header('connection', () => many(i => `a${i}`, head)),
  'X-Forwarded-For': header('x-forwarded-for', () => many(i => `10.0.0.${i % 250}`, head)),
  'review: label selector': review(() => ({ labelSelector: { rawSelector: many(i => `a${i}`, body) } })),
  'review: label selector of one set': review(() => ({ labelSelector: { rawSelector: `a in (${many(i => `a${i}`, body)})` } })),
  'review: field selector': review(() => ({ fieldSelector: { rawSelector: repeat('a=,', body) } })),
  'review: field selector of 5,000': review(() => ({ fieldSelector: { rawSelector: many(i => `f${i}=b`, 40_000) } })),
  'review: requirements for labels': review(() => ({
    labelSelector: { requirements: Array.from({ length: 45_000 }, (_, i) => ({ key: `k${i}`, operator: 'Exists' })) }
  })),
  'review: values': review(() => ({
    labelSelector: { requirements: [{ key: 'k', operator: 'In', values: Array.from({ length: 95_000 }, (_, i) => `k${i}`) }] }
  })),
  'review: wrong values': review(() => ({
    labelSelector: { requirements: [{ key: 'k', operator: 'In', values: Array.from({ length: 95_000 }, (_, i) => `-k${i}`) }] }
  })),
  'a certificate request: names': post('/apis/certificates.k8s.io/v1/certificatesigningrequests', () => ({
    metadata,
    spec: {
      request: Buffer.from(pem(2_000_000, Buffer.from('310b3009060355040313026161', 'hex'))).toString('base64'),
      signerName: 'a.io/b',
      usages: ['client auth']
    }
  })),
  'a certificate request: PEM blocks': post('/apis/certificates.k8s.io/v1/certificatesigningrequests', () => ({
    metadata,
    spec: {
      request: Buffer.from(repeat('-----BEGIN A-----\nAAAA\n-----END A-----\n', 2_000_000)).toString('base64'),
      signerName: 'a.io/b',
      usages: ['client auth']
    }
  })),
  'a certificate request: beginnings of PEM': post('/apis/certificates.k8s.io/v1/certificatesigningrequests', () => ({
    metadata,
    spec: {
      request: Buffer.from(repeat('-----BEGIN ', 2_000_000)).toString('base64'),
      signerName: 'a.io/b',
      usages: ['client auth']
    }
  })),
  'JSON Patch: operations': patch(
    `${maps}/patched`,
    () => Array.from({ length: 30_000 }, (_, i) => ({ op: 'add', path: `/data/k${i}`, value: 'a' })),
    'application/json-patch+json'
  ),
  'JSON Patch: a path of slashes': patch(
    `${maps}/patched`,
    () => [{ op: 'add', path: repeat('/a', body), value: 'a' }],
    'application/json-patch+json'
  ),
  'JSON Patch: a path of escapes': patch(
    `${maps}/patched`,
    () => [{ op: 'add', path: `/data/${repeat('~1', body)}`, value: 'a' }],
    'application/json-patch+json'
  ),
  'JSON Patch: a path of digits': patch(
    `${maps}/patched`,
    () => [{ op: 'add', path: `/metadata/finalizers/${repeat('1', body)}`, value: 'a' }],
    'application/json-patch+json'
  ),
  'a schedule': post('/apis/batch/v1/namespaces/default/cronjobs', () =>
    cronJob({ schedule: `${many(i => `${i % 60}`, body)} * * * *` })
  ),
  'a schedule of ranges': post('/apis/batch/v1/namespaces/default/cronjobs', () =>
    cronJob({ schedule: `${repeat('0-59/1,', body)}1 * * * *` })
  ),
  'a schedule of blanks': post('/apis/batch/v1/namespaces/default/cronjobs', () => cronJob({ schedule: `${repeat(' ', body)}` })),
  'a time zone': post('/apis/batch/v1/namespaces/default/cronjobs', () =>
    cronJob({ schedule: '* * * * *', timeZone: repeat('a/', body) })
  ),
  'source ranges of a Service in its annotation': post('/api/v1/namespaces/default/services', () => ({
    metadata: {
      ...metadata,
      annotations: { 'service.beta.kubernetes.io/load-balancer-source-ranges': many(i => `10.${i % 250}.0.0/16`, 250_000) }
    },
    spec: { type: 'LoadBalancer', ports: [{ port: 80 }] }
  })),
  'source ranges of a Service': post('/api/v1/namespaces/default/services', () => ({
    metadata,
    spec: {
      type: 'LoadBalancer',
      ports: [{ port: 80 }],
      loadBalancerSourceRanges: Array.from({ length: 95_000 }, (_, i) => `10.${i % 250}.0.0/16`)
    }
  })),
  'a network policy of CIDRs': post('/apis/networking.k8s.io/v1/namespaces/default/networkpolicies', () => ({
    metadata,
    spec: {
      podSelector: {},
      ingress: [
        {
          from: [
            { ipBlock: { cidr: '10.0.0.0/8', except: Array.from({ length: 90_000 }, (_, i) => `10.${i % 250}.${i % 251}.0/24`) } }
          ]
        }
      ]
    }
  })),
  'tolerations of a namespace': async target => {
    await target.send('POST', '/api/v1/namespaces', {
      metadata: {
        name: 'tolerant',
        annotations: {
          'scheduler.alpha.kubernetes.io/defaultTolerations': JSON.stringify(
            Array.from({ length: 4000 }, (_, i) => ({ key: `k${i}`, operator: 'Exists' }))
          ),
          'scheduler.alpha.kubernetes.io/node-selector': many(i => `a${i}=b`, 50_000)
        }
      }
    })
    return shown(await target.send('POST', '/api/v1/namespaces/tolerant/pods', pod()))
  },
  'metrics of an autoscaler in v1': post('/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers', () => ({
    metadata: {
      ...metadata,
      annotations: {
        'autoscaling.alpha.kubernetes.io/metrics': JSON.stringify(
          Array.from({ length: 4000 }, () => ({ type: 'Pods', pods: { metricName: 'm', targetAverageValue: '1' } }))
        )
      }
    },
    spec: { maxReplicas: 1, scaleTargetRef: { kind: 'a', name: 'a' } }
  })),
  'behaviour of an autoscaler in v1': post('/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers', () => ({
    metadata: { ...metadata, annotations: { 'autoscaling.alpha.kubernetes.io/conditions': `[${repeat('{},', 250_000)}{}]` } },
    spec: { maxReplicas: 1, scaleTargetRef: { kind: 'a', name: 'a' } }
  })),
  'what kubectl applied last': patch(
    `${maps}/patched?fieldManager=kubectl`,
    () =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {
          name: 'patched',
          annotations: { 'kubectl.kubernetes.io/last-applied-configuration': `{"data":{${many(i => `"a${i}":"b"`, 250_000)}}}` }
        }
      }),
    'application/apply-patch+yaml'
  ),
  'seccomp and AppArmor annotations': post('/api/v1/namespaces/default/pods', () => ({
    ...pod(),
    metadata: {
      ...metadata,
      annotations: Object.fromEntries(
        Array.from({ length: 5000 }, (_, i) => [`container.apparmor.security.beta.kubernetes.io/c${i}`, 'localhost/x'])
      )
    }
  })),
  'sysctls of a Pod': post('/api/v1/namespaces/default/pods', () => {
    const made = pod()
    made.spec.securityContext = { sysctls: Array.from({ length: 45_000 }, (_, i) => ({ name: `net.a${i}`, value: 'b' })) }
    return made
  }),
  'a Scale of a selector': patch(
    '/apis/apps/v1/namespaces/default/deployments/none/scale',
    () => ({ status: { selector: many(i => `a${i}`, body) } }),
    'application/merge-patch+json'
  ),
  'a field mask of managedFields': post(maps, () => ({
    metadata: {
      ...metadata,
      managedFields: [
        {
          manager: 'a',
          operation: 'Update',
          apiVersion: 'v1',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': Object.fromEntries(Array.from({ length: 45_000 }, (_, i) => [`f:k${i}`, {}])) }
        }
      ]
    }
  })),
  'a continue token': get(
    () =>
      `${maps}?limit=1&continue=${Buffer.from(`{"v":"meta.k8s.io/v1","rv":1,"start":"${repeat('a/', 600_000)}"}`).toString('base64url')}`
  ),
  'a resource version': get(`${maps}?resourceVersion=${repeat('1', head)}`),
  'a limit': get(`${maps}?limit=${repeat('1', head)}`),
  'a name of dots': get(`${maps}/${repeat('a.', head)}`),
  'a log with container names': get(`/api/v1/namespaces/default/pods/none/log?container=${repeat('a,', head)}`),
  'verbs of livez': get(`/livez?${repeat('exclude=a&', head)}`, {}, anonymous),
  'verbose livez': get(`/livez?verbose&exclude=${many(i => `a${i}`, head)}`, {}, anonymous)
}

function cronJob(spec) {
  return {
    metadata,
    spec: {
      ...spec,
      jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } } } }
    }
  }
}
function pod() {
  return { metadata, spec: { containers: [{ name: 'a', image: 'a' }] } }
}
function pem(bytes, item) {
  const names = Buffer.concat(Array.from({ length: Math.floor(bytes / 2 / item.length) }, () => item))
  const wrap = (tag, inside) =>
    Buffer.concat([Buffer.from([tag, 0x83, inside.length >> 16, (inside.length >> 8) & 255, inside.length & 255]), inside])
  const der = wrap(0x30, wrap(0x30, Buffer.concat([Buffer.from('020100', 'hex'), wrap(0x30, names)])))
  return `-----BEGIN CERTIFICATE REQUEST-----\n${der
    .toString('base64')
    .match(/.{1,64}/g)
    .join('\n')}\n-----END CERTIFICATE REQUEST-----\n`
}
