/** ClusterTrustBundles, PodCertificateRequests with their status, and Pods that mount both, by administrators, signers and kubelets. */
import { certificate, goodKeys, keys, pem, proof, stubRequest } from '../certificates.mjs'

const group = '/apis/certificates.k8s.io'
const minute = 60_000
const signers = ['example.com/a', 'corp.example.com/b', 'kubernetes.io/kube-apiserver-serving', 'x.kubernetes.io/y', '']
const oddSigners = [
  'a',
  'a/b',
  'a.b/c/d',
  'A.b/c',
  'a.b/C',
  `${'a.'.repeat(130)}b/c`,
  `a.b/${'c'.repeat(254)}`,
  'a.b/',
  '/a.b',
  '.a/b'
]
const oddNames = ['', 'A', 'a_b', 'x:y', 'example.com:a:', 'example.com:a:Z', '-a', `${'a'.repeat(254)}`]

export async function area({ random, send }) {
  const users = await makeUsers(send)
  const bundles = trustBundles(random)
  const requests = podCertificates(random)
  return {
    generate: () => withUser(random.pick([bundles, bundles, requests, requests, () => podWithVolumes(random)])(), random, users),
    cleanup: users.cleanup
  }
}

/** A user who may act for some signers, and one who may only write. */
async function makeUsers(send) {
  const rbac = '/apis/rbac.authorization.k8s.io/v1'
  const write = {
    verbs: ['*'],
    apiGroups: ['certificates.k8s.io'],
    resources: ['clustertrustbundles', 'podcertificaterequests', 'podcertificaterequests/status']
  }
  const signer = {
    verbs: ['attest', 'sign'],
    apiGroups: ['certificates.k8s.io'],
    resources: ['signers'],
    resourceNames: ['example.com/a', 'corp.example.com/*']
  }
  const roles = { '$RUN-writer': [write], '$RUN-signer': [write, signer] }
  const cleanup = []
  for (const [name, rules] of Object.entries(roles)) {
    await send({ path: `${rbac}/clusterroles`, body: { metadata: { name }, rules } })
    const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name }]
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name }
    await send({ path: `${rbac}/clusterrolebindings`, body: { metadata: { name }, subjects, roleRef } })
    for (const kind of ['clusterroles', 'clusterrolebindings'])
      cleanup.push({ method: 'DELETE', path: `${rbac}/${kind}/${name}` })
  }
  return { cleanup, names: [...Object.keys(roles), 'system:node:n1'] }
}

/** Sends all requests of a case as the administrator or, more rarely, as another user. */
function withUser(made, random, { names }) {
  if (random.chance(0.6)) return made
  const user = random.pick(names)
  const headers = {
    'impersonate-user': user,
    ...(user.startsWith('system:node:') ? { 'impersonate-group': 'system:nodes' } : {})
  }
  const requests = made.requests.map(request =>
    request.isPreparation ? request : { ...request, headers: { ...request.headers, ...headers } }
  )
  return { ...made, requests }
}

function broken(der, random) {
  const copy = Buffer.from(der)
  for (let i = 0; i <= random.below(2); i++)
    copy[random.below(random.chance(0.7) ? copy.length - 70 : copy.length)] = random.below(256)
  return copy
}

function trustBundles(random) {
  const now = Date.now()
  const times = { notBefore: now - minute, notAfter: now + 1e9 }
  const good = Array.from({ length: 3 }, () => certificate({ ...times, isCA: true }))
  const leaves = [certificate({ ...times, isCA: false }), certificate(times)]
  const names = [
    [0x82, random.pick(['a', '', 'a..b', '\xe9'])],
    [0x86, random.pick(['http://a/b', 'http://a../b', '%zz', 'http://[::1]/'])],
    [0x87, random.pick(['1234', '12345'])]
  ]
  const piece = () =>
    random.pick([
      () => pem(random.pick(good)),
      () => pem(random.pick(good)),
      () => pem(broken(random.pick(good), random)),
      () => pem(broken(random.pick(good), random)),
      () => pem(random.pick(leaves)),
      () => pem(certificate({ ...times, isCA: true, names: [random.pick(names)] })),
      () => pem(certificate({ ...times, isCA: true, key: random.pick(keys) })),
      () => pem(random.pick(good), random.pick(['X509 CERTIFICATE', 'CERTIFICATE ', 'A: B', 'é'])),
      () => pem(random.pick(good)).replace('-----\n', '-----\nKey: value\n\n'),
      () => pem(random.pick(good)).replaceAll('\n', random.pick(['\r\n', ' \n', '\n\n', ''])),
      () => pem(random.pick(good)).replace(random.pick(['=', 'M', '-----END', 'BEGIN']), random.pick(['', '!', ' '])),
      () =>
        random.pick([
          'text',
          '\n',
          '-----BEGIN CERTIFICATE-----\n',
          '-----END CERTIFICATE-----\n',
          '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n'
        ])
    ])()
  const bundle = () =>
    Array.from({ length: random.below(4) + (random.chance(0.8) ? 1 : 0) }, piece).join(random.pick(['', '', '\n', 'x']))
  return () => {
    const version = random.pick(['v1beta1', 'v1alpha1'])
    const path = `${group}/${version}/clustertrustbundles`
    const signerName = random.chance(0.85) ? random.pick(signers) : random.pick(oddSigners)
    const prefix = signerName === '' ? '' : `${signerName.replaceAll('/', ':')}:`
    const name = random.chance(0.85) ? `${prefix}$ID` : random.pick(oddNames)
    const spec = { ...(random.chance(0.9) ? { signerName } : {}), trustBundle: random.chance(0.5) ? pem(good[0]) : bundle() }
    const metadata = { name, labels: { run: '$ID' } }
    const changed = random.pick([{ ...spec, trustBundle: bundle() }, { ...spec, signerName: random.pick(signers) }, { ...spec }])
    const own = `${path}/${encodeURIComponent(name)}`.replace('%24', '$')
    const update = random.pick([
      { method: 'PATCH', path: own, headers: { 'content-type': 'application/merge-patch+json' }, body: { spec: changed } },
      { method: 'PUT', path: own, body: { metadata, spec: changed } },
      {
        method: 'PATCH',
        path: own,
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { metadata: { finalizers: ['a.b/c'] } }
      },
      {
        method: 'PATCH',
        path: `${own}?fieldManager=m&force=true`,
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body: { apiVersion: `certificates.k8s.io/${version}`, kind: 'ClusterTrustBundle', metadata: { name }, spec: changed }
      }
    ])
    const selector = random.pick([
      'spec.signerName=example.com/a',
      'spec.signerName!=',
      'metadata.name=$ID',
      'spec.trustBundle=x',
      'metadata.namespace='
    ])
    return {
      requests: [
        {
          path,
          body: random.chance(0.95)
            ? { metadata, spec }
            : random.pick([{ metadata }, { metadata, spec: null }, { metadata, spec: { trustBundle: 1 } }])
        },
        update,
        {
          path: `${path}?labelSelector=run%3D$ID&fieldSelector=${encodeURIComponent(selector).replace('%24ID', '$ID')}`,
          headers: random.pick([{}, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }, { accept: 'application/yaml' }])
        }
      ],
      cleanup: [
        {
          method: 'PATCH',
          path: own,
          headers: { 'content-type': 'application/merge-patch+json' },
          body: { metadata: { finalizers: null } }
        },
        { method: 'DELETE', path: own }
      ]
    }
  }
}

const base64 = bytes => bytes.toString('base64')

function podCertificates(random) {
  const path = `${group}/v1beta1/namespaces/$NS/podcertificaterequests`
  const odd = () => random.pick(['', 'A', 'a_b', 'x'.repeat(130), 'a.b', 0, null])
  const keyFields = key => {
    const other = random.chance(0.1) ? random.pick(goodKeys) : key
    return random.pick([
      () => ({ stubPKCS10Request: base64(stubRequest(key, other)) }),
      () => ({ stubPKCS10Request: base64(stubRequest(key, other)) }),
      () => ({ pkixPublicKey: base64(key.spki), proofOfPossession: base64(proof(other, 'pod-uid')) }),
      () => ({ stubPKCS10Request: base64(broken(stubRequest(key), random)) }),
      () => ({
        pkixPublicKey: base64(broken(Buffer.concat([key.spki, Buffer.alloc(70)]), random).subarray(0, key.spki.length)),
        proofOfPossession: base64(proof(other, 'pod-uid'))
      }),
      () => ({ stubPKCS10Request: base64(stubRequest(key)), pkixPublicKey: base64(key.spki) }),
      () => ({ pkixPublicKey: base64(Buffer.alloc(random.pick([0, 5, 11_000]), 1)), proofOfPossession: 'AAAA' }),
      () => ({ stubPKCS10Request: base64(Buffer.alloc(random.pick([0, 5, 11_000]), 1)) })
    ])()
  }
  return () => {
    const key = random.chance(0.8) ? random.pick(goodKeys) : random.pick(keys)
    const spec = {
      signerName: random.chance(0.9) ? random.pick(signers.slice(0, 4)) : random.pick([...oddSigners, '']),
      podName: 'p',
      podUID: 'pod-uid',
      serviceAccountName: 'default',
      serviceAccountUID: 'sa-uid',
      nodeName: random.pick(['n1', 'n2']),
      nodeUID: 'node-uid',
      ...(random.chance(0.5) ? { stubPKCS10Request: base64(stubRequest(key)) } : keyFields(key))
    }
    if (random.chance(0.2)) spec[random.pick(Object.keys(spec))] = odd()
    if (random.chance(0.4)) spec.maxExpirationSeconds = random.pick([3599, 3600, 86400, 86401, 7862400, 7862401, -1, null])
    if (random.chance(0.2))
      spec.unverifiedUserAnnotations = random.pick([
        {},
        { a: 'b' },
        { 'A.b/C': 'd', 'e.f/g': 'h' },
        { '': '' },
        { 'a/b/c': 'x' },
        { 'a.b/c': 'x'.repeat(300_000) }
      ])
    const own = `${path}/$ID`
    const merge = { 'content-type': 'application/merge-patch+json' }
    const status = () => ({
      method: 'PATCH',
      path: `${own}/status`,
      headers: merge,
      body: { status: statusFor(key, random), ...(random.chance(0.1) ? { metadata: { labels: { a: 'b' } } } : {}) }
    })
    const other = random.pick([
      {
        method: 'PATCH',
        path: own,
        headers: merge,
        body: {
          spec: random.pick([
            { podName: 'q' },
            { maxExpirationSeconds: null },
            { nodeName: 'n3', unverifiedUserAnnotations: { 'a.b/c': 'd' } }
          ])
        }
      },
      {
        method: 'PATCH',
        path: own,
        headers: merge,
        body: { metadata: { labels: { a: 'b' } }, status: { certificateChain: 'x' } }
      },
      { path: own },
      {
        path: `${path}?fieldSelector=${encodeURIComponent(random.pick(['spec.nodeName=n1', 'spec.podName=p', 'spec.signerName!=x', 'spec.podUID=pod-uid', 'metadata.name=x']))}&labelSelector=run%3D$ID`
      },
      { path: `${path}?labelSelector=run%3D$ID`, headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } },
      { path: `${own}/status` }
    ])
    return {
      requests: [
        { path, body: { metadata: { name: '$ID', labels: { run: '$ID' } }, spec }, isPreparation: random.chance(0.7) },
        status(),
        other,
        ...(random.chance(0.3) ? [status()] : []),
        {
          path: `${path}?labelSelector=run%3D$ID&fieldSelector=spec.nodeName%3Dn1`,
          headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
        }
      ],
      cleanup: [{ method: 'DELETE', path: own }]
    }
  }
}

function statusFor(key, random) {
  const lastTransitionTime = '2026-01-02T03:04:05Z'
  const condition = () => ({
    type: random.chance(0.85)
      ? random.pick(['Issued', 'Issued', 'Issued', 'Denied', 'Failed'])
      : random.pick(['Other', '', 'a b']),
    status: random.chance(0.9) ? 'True' : random.pick(['False', 'Unknown', '', 'x']),
    reason: random.chance(0.9) ? 'R' : random.pick(['', '1', 'a b']),
    message: 'm',
    ...(random.chance(0.95) ? { lastTransitionTime } : {})
  })
  const conditions = Array.from({ length: random.chance(0.85) ? 1 : random.below(3) }, condition)
  if (conditions.every(({ type }) => type !== 'Issued') && random.chance(0.7)) return { conditions }
  const now = Math.floor(Date.now() / 1000) * 1000
  const notBefore = now + (random.chance(0.85) ? 0 : random.pick([-10, 10, -4, 4]) * minute)
  const notAfter =
    notBefore + (random.chance(0.7) ? 90 : random.pick([59, 60, 61, 1440, 1441, 60 * 24 * 91, 60 * 24 * 92])) * minute
  const names = random.chance(0.7)
    ? []
    : [
        random.pick([
          [0x82, 'a.b'],
          [0x82, ''],
          [0x82, 'a..b.'],
          [0x82, '.a'],
          [0x81, 'a@b'],
          [0x81, 'a b'],
          [0x81, 'é'],
          [0x87, '1234']
        ])
      ]
  const leaf = certificate({ key: random.chance(0.9) ? key : random.pick(goodKeys), notBefore, notAfter, names })
  const ca = certificate({ notBefore, notAfter, isCA: true })
  const certificateChain = random.pick([
    () => pem(leaf),
    () => pem(leaf),
    () => pem(leaf) + pem(ca),
    () => pem(broken(leaf, random)),
    () => pem(leaf) + pem(broken(ca, random)),
    () => `text\n${pem(leaf)}text`,
    () => pem(leaf) + pem(ca, 'X'),
    () => pem(leaf, 'X'),
    () => random.pick(['', 'x', 'x'.repeat(103_000)])
  ])()
  const text = time => new Date(time).toISOString().replace('.000', '')
  const status = {
    conditions,
    certificateChain,
    notBefore: text(notBefore + (random.chance(0.95) ? 0 : 1000)),
    notAfter: text(notAfter + (random.chance(0.95) ? 0 : 1000)),
    beginRefreshAt: text(random.chance(0.8) ? notBefore + 45 * minute : notBefore + random.pick([9, 10, 89, 80, 81]) * minute)
  }
  if (random.chance(0.15))
    delete status[random.pick(['certificateChain', 'notBefore', 'notAfter', 'beginRefreshAt', 'conditions'])]
  return status
}

function podWithVolumes(random) {
  const path = () => random.pick(['a', 'a', 'b', 'a/b', '/a', '../a', '..a', ''])
  const signer = () => (random.chance(0.7) ? random.pick(signers) : random.pick(oddSigners))
  const maybe = (name, value, chance = 0.5) => (random.chance(chance) ? { [name]: value() } : {})
  const bundle = () => ({
    ...maybe('name', () => random.pick(['x', 'example.com:a:x', 'a:b', 'A', '', ':x'])),
    ...maybe('signerName', signer),
    ...maybe(
      'labelSelector',
      () =>
        random.pick([
          {},
          { matchLabels: { a: 'b' } },
          { matchLabels: { 'a b': '' } },
          { matchExpressions: [{ key: 'a', operator: 'In' }] }
        ]),
      0.3
    ),
    ...maybe('optional', () => true, 0.2),
    path: path()
  })
  const podCertificate = () => ({
    signerName: signer(),
    ...maybe('keyType', () => random.pick(['RSA3072', 'ECDSAP256', 'ED25519', 'x', '']), 0.9),
    ...maybe('maxExpirationSeconds', () => random.pick([3599, 3600, 86401, 7862401, 0]), 0.4),
    ...maybe('credentialBundlePath', path),
    ...maybe('keyPath', path),
    ...maybe('certificateChainPath', path),
    ...maybe('userAnnotations', () => random.pick([{}, { a: 'b' }, { 'a.b/C': 'd' }]), 0.3)
  })
  const source = () =>
    random.pick([
      () => ({ clusterTrustBundle: bundle() }),
      () => ({ clusterTrustBundle: bundle() }),
      () => ({ podCertificate: podCertificate() }),
      () => ({ podCertificate: podCertificate() }),
      () => ({ podCertificate: podCertificate(), clusterTrustBundle: bundle() }),
      () => ({ configMap: { name: 'c', items: [{ key: 'k', path: path() }] } }),
      () => ({})
    ])()
  const volumes = [{ name: 'v', projected: { sources: Array.from({ length: 1 + random.below(3) }, source) } }]
  const spec = { containers: [{ name: 'c', image: 'i' }], volumes }
  const template = { metadata: { labels: { a: 'b' } }, spec }
  const made = random.chance(0.7)
    ? { path: '/api/v1/namespaces/$NS/pods?dryRun=All', body: { metadata: { name: '$ID' }, spec } }
    : {
        path: '/apis/apps/v1/namespaces/$NS/deployments?dryRun=All',
        body: { metadata: { name: '$ID' }, spec: { selector: { matchLabels: { a: 'b' } }, template } }
      }
  return { requests: [{ ...made, isPreparation: true }] }
}
