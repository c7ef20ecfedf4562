/** ClusterTrustBundles and PodCertificateRequests in a server whose gates are on. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { after, before, describe, it, test } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { admin, send } from '../../testkit/send.js'
import { signingRequest } from '../../testkit/signing-request.js'
import { issueCertificate, toPem } from '../../transport/certificates/issue.js'
import { silentLogger } from '../../util/logger.js'

const signer = { name: 'signer', groups: ['system:authenticated'] }
const writer = { name: 'writer', groups: ['system:authenticated'] }
const kubelet = { name: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] }
const group = '/apis/certificates.k8s.io'
const bundles = `${group}/v1/clustertrustbundles`
const requests = `${group}/v1beta1/namespaces/default/podcertificaterequests`
const core = '/api/v1/namespaces/default'
const featureGates = { ClusterTrustBundle: true, ClusterTrustBundleProjection: true, PodCertificateRequest: true }
const runtimeConfig = { 'certificates.k8s.io/v1beta1': true }

const now = Date.parse('2026-01-02T03:04:05Z')
const hour = 3_600_000
const ec = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const [authority, pod] = [ec(), ec()]

const certificate = (usage: 'ca' | 'clientAuth', publicKey: KeyObject, notBefore = now, notAfter = now + 2 * hour) =>
  toPem(issueCertificate({ commonName: 'x', publicKey, notBefore, notAfter, usage }, { key: authority.privateKey }))
const anchor = certificate('ca', authority.publicKey)

let server: BinnacleServer

const ask = (user: typeof admin, method: string, url: string, body?: object) => send(server, method, url, body, { user })

/** The causes of a refusal, or its message; '' when there is none. */
async function problem(...request: Parameters<typeof ask>): Promise<string> {
  const { status, body } = await ask(...request)
  if (status < 400) return ''
  const causes = body.details?.causes?.map((cause: any) => `${cause.field}: ${cause.message}`).join('; ')
  return causes ?? body.message.replace(/^.*? is forbidden: /, '')
}

before(async () => {
  server = createServer({
    log: silentLogger,
    featureGates,
    runtimeConfig,
    enableAdmissionPlugins: ['NodeRestriction'],
    clock: new FakeClock(now)
  })
  await server.start()
  const resources = ['clustertrustbundles', 'podcertificaterequests', 'podcertificaterequests/status']
  const write = { verbs: ['*'], apiGroups: ['certificates.k8s.io'], resources }
  const act = {
    verbs: ['attest', 'sign'],
    apiGroups: ['certificates.k8s.io'],
    resources: ['signers'],
    resourceNames: ['a.b/*']
  }
  for (const [name, rules] of Object.entries({ writer: [write], signer: [write, act] })) {
    await ask(admin, 'POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', { metadata: { name }, rules })
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name }
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }]
    const binding = { metadata: { name }, roleRef, subjects }
    await ask(admin, 'POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', binding)
  }
})
after(() => server.stop())

test('the name of a CertificateSigningRequest is looked at when nothing else is wrong', async () => {
  const request = signingRequest('o', 'x')
  const make = (metadata: object, signerName: string) =>
    problem(admin, 'POST', `${group}/v1/certificatesigningrequests`, {
      metadata,
      spec: { request, signerName, usages: ['client auth'] }
    })
  assert.match(await make({ name: '50%' }, 'nosuch'), /^spec\.signerName: [^;]*$/)
  assert.equal(await make({ name: '50%' }, 'a.b/c'), `metadata.name: Invalid value: "50%": may not contain '%'`)
  // a prefix becomes another name
  assert.equal(await make({ generateName: '..' }, 'a.b/c'), '')
})

describe('the gates of trust bundles', () => {
  it('hide kinds, roles and fields while they are off', async () => {
    const off = { ClusterTrustBundle: false, ClusterTrustBundleProjection: false, PodCertificateRequest: false }
    const plain = createServer({ log: silentLogger, runtimeConfig, featureGates: off })
    await plain.start()
    try {
      const get = (url: string) => plain.inject({ url, user: admin })
      assert.equal((await get(`${group}/v1beta1`)).status, 404)
      assert.equal((await get(bundles)).status, 404)
      assert.doesNotMatch((await get('/openapi/v2')).body.toString(), /ClusterTrustBundleList|PodCertificateRequest"/)
      const roles = await get('/apis/rbac.authorization.k8s.io/v1/clusterroles')
      assert.doesNotMatch(roles.body.toString(), /trust-?bundle|podcertificate/)
      const made = await plain.inject({ url: `${core}/pods?dryRun=All`, user: admin, body: podWith({ podCertificate: mounted }) })
      assert.doesNotMatch(made.body.toString(), /podCertificate/)
    } finally {
      await plain.stop()
    }
  })
})

describe('a ClusterTrustBundle', () => {
  const bundle = (name: string, spec: object) => ({ metadata: { name }, spec })

  it('is served in both versions, and keeps its signer', async () => {
    assert.equal(await problem(admin, 'POST', bundles, bundle('a.b:c:x', { signerName: 'a.b/c', trustBundle: anchor })), '')
    const beta = await ask(admin, 'GET', `${group}/v1beta1/clustertrustbundles/a.b:c:x`)
    assert.equal(beta.body.spec.trustBundle, anchor)
    const change = { spec: { signerName: 'a.b/d' } }
    assert.match(await problem(admin, 'PATCH', `${bundles}/a.b:c:x`, change), /spec.signerName: .*field is immutable/)
  })

  it('is named after its signer', async () => {
    const refused = (name: string, signerName: string) =>
      problem(admin, 'POST', `${bundles}?dryRun=All`, bundle(name, { signerName, trustBundle: anchor }))
    assert.equal(await refused('x', ''), '')
    assert.match(await refused('x:y', ''), /must not have ":" in its name/)
    assert.match(await refused('x', 'a.b/c'), /must be named with prefix a.b:c:$/)
  })

  for (const [what, text, expected] of [
    ['nothing', '', /at least one trust anchor/],
    ['the same anchor twice', anchor + anchor, /duplicate trust anchor \(indices \[0 1\]\)/],
    ['a certificate that is no authority', certificate('clientAuth', pod.publicKey), /entry 0 does not have the CA bit set/],
    ['something else', `${anchor}${anchor.replaceAll('CERTIFICATE', 'KEY')}`, /entry 1 has bad block type: KEY/],
    ['headers', anchor.replace('-----\n', '-----\na: b\n\n'), /entry 0 has PEM block headers/],
    ['nonsense', toPem(Buffer.from('x')), /entry 0 does not parse as X.509/],
    ['a megabyte', 'x'.repeat(1024 * 1024 + 1), /Too long: may not be more than 1048576 bytes/]
  ] as const)
    it(`does not hold ${what}`, async () =>
      assert.match(await problem(admin, 'POST', bundles, bundle('bad', { trustBundle: text })), expected))

  it('is written only by those who may attest for its signer, metadata for the garbage collector apart', async () => {
    const create = (user: typeof admin, signerName: string) =>
      problem(
        user,
        'POST',
        `${bundles}?dryRun=All`,
        bundle(`${signerName.replace('/', ':')}:z`, { signerName, trustBundle: anchor })
      )
    assert.equal(await create(writer, 'a.b/c'), 'user not permitted to attest for signerName "a.b/c"')
    assert.equal(await create(signer, 'a.b/c'), '')
    assert.equal(await create(signer, 'c.d/e'), 'user not permitted to attest for signerName "c.d/e"')
    const patch = (metadata: object) => problem(writer, 'PATCH', `${bundles}/a.b:c:x?dryRun=All`, { metadata })
    assert.equal(await patch({ finalizers: ['a.b/c'] }), '')
    assert.match(await patch({ labels: { a: 'b' } }), /^user not permitted to attest/)
  })

  it("is published for the server's own certificate, and replaces others of that signer", async () => {
    const signerName = 'kubernetes.io/kube-apiserver-serving'
    const list = async () => (await ask(admin, 'GET', `${bundles}?fieldSelector=spec.signerName=${signerName}`)).body.items
    const [own] = await list()
    assert.equal(own.spec.trustBundle, server.caCertificate)
    assert.match(own.metadata.name, /^kubernetes\.io:kube-apiserver-serving:[0-9a-f]{24}$/)
    await ask(admin, 'POST', bundles, bundle('kubernetes.io:kube-apiserver-serving:other', { signerName, trustBundle: anchor }))
    while ((await list()).length > 1) await new Promise(setImmediate)
    assert.equal((await list())[0].metadata.name, own.metadata.name)
  })
})

const mounted = { signerName: 'a.b/c', keyType: 'ED25519', keyPath: 'key' }
const podWith = (...sources: object[]) => ({
  metadata: { name: 'p' },
  spec: {
    nodeName: 'n1',
    serviceAccountName: 'default',
    automountServiceAccountToken: false,
    containers: [{ name: 'c', image: 'i' }],
    volumes: [{ name: 'v', projected: { sources } }]
  }
})

describe('a projected volume', () => {
  const refused = (...sources: object[]) => problem(admin, 'POST', `${core}/pods?dryRun=All`, podWith(...sources))

  it('takes trust bundles by name or by signer', async () => {
    assert.equal(await refused({ clusterTrustBundle: { name: 'a.b:c:x', path: 'ca' } }), '')
    assert.equal(await refused({ clusterTrustBundle: { signerName: 'a.b/c', labelSelector: {}, path: 'ca' } }), '')
    assert.match(await refused({ clusterTrustBundle: { path: 'ca' } }), /either name or signerName must be specified/)
    assert.match(
      await refused({ clusterTrustBundle: { name: 'x', labelSelector: {}, path: 'a' } }),
      /labelSelector must be unset/
    )
    assert.match(
      await refused({ clusterTrustBundle: { name: 'x', signerName: 'a.b/c', path: 'ca' } }),
      /Invalid value: \{"Name":"x","SignerName":"a.b\/c".*only one of name and signerName may be used/
    )
    assert.match(await refused({ clusterTrustBundle: { name: 'a:b:X', path: 'ca' } }), /not a valid clustertrustbundlename: /)
  })

  it("takes the Pod's certificates", async () => {
    const certificate = (change: object) => refused({ podCertificate: { ...mounted, ...change } })
    assert.equal(await certificate({}), '')
    assert.match(await certificate({ keyType: 'RSA1024' }), /keyType: Unsupported value: "RSA1024": supported values: "RSA3072"/)
    assert.match(await certificate({ keyPath: '' }), /specify at least one of credentialBundlePath/)
    assert.match(await certificate({ certificateChainPath: 'key' }), /conflicting duplicate paths/)
    assert.match(await certificate({ maxExpirationSeconds: 3599 }), /must be >= 3600/)
    assert.match(await certificate({ maxExpirationSeconds: 7862401 }), /must be <= 7862400/)
    assert.match(await certificate({ signerName: 'kubernetes.io/x', maxExpirationSeconds: 86401 }), /must be <= 86400/)
    assert.match(await certificate({ userAnnotations: { a: 'b' } }), /must be a domain-prefixed key/)
  })
})

const stub = (dns?: string) => Buffer.from(atob(signingRequest('o', 'n', dns)).replace(/-----.*?-----|\n/g, ''), 'base64')
const request = (name: string, change: object = {}) => ({
  metadata: { name },
  spec: {
    signerName: 'a.b/c',
    podName: 'p',
    podUID: 'pod-uid',
    serviceAccountName: 'default',
    serviceAccountUID: 'account-uid',
    nodeName: 'n1',
    nodeUID: 'node-uid',
    pkixPublicKey: pod.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    proofOfPossession: sign('sha256', Buffer.from('pod-uid'), pod.privateKey).toString('base64'),
    ...change
  }
})
const withStub = (stubPKCS10Request: Buffer) => ({
  stubPKCS10Request: stubPKCS10Request.toString('base64'),
  pkixPublicKey: undefined,
  proofOfPossession: undefined
})

describe('a PodCertificateRequest', () => {
  const create = (change: object) => problem(admin, 'POST', `${requests}?dryRun=All`, request('r', change))

  it('has a key and a proof that the requester owns it, or a stub of a signing request', async () => {
    assert.equal(await create({}), '')
    assert.equal(await create(withStub(stub())), '')
    assert.match(await create({ podUID: 'other' }), /proofOfPossession: Invalid value: could not verify/)
    assert.match(await create({ stubPKCS10Request: 'AAAA' }), /spec: Invalid value: exactly one of/)
    assert.match(await create(withStub(Buffer.of(0x30, 0))), /must be a valid PKCS#10 CSR/)
    const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ type: 'spki', format: 'der' })
    assert.match(await create({ pkixPublicKey: small.toString('base64') }), /"1024-bit modulus": RSA keys must have modulus size/)
    assert.match(await create({ pkixPublicKey: 'AAAA' }), /must be a valid PKIX-serialized public key/)
  })

  it('has no key and proof in v1, but keeps them', async () => {
    const stable = requests.replace('v1beta1', 'v1')
    const { spec } = (await ask(admin, 'POST', requests, request('beta'))).body
    const { body } = await ask(admin, 'GET', `${stable}/beta`)
    assert.equal(body.apiVersion, 'certificates.k8s.io/v1')
    const { pkixPublicKey, proofOfPossession, ...shown } = spec
    assert.ok(pkixPublicKey && proofOfPossession)
    assert.deepEqual(body.spec, shown)
    const strict = await problem(admin, 'POST', `${stable}?fieldValidation=Strict`, request('r'))
    assert.match(strict, /unknown field "spec\.pkixPublicKey", unknown field "spec\.proofOfPossession"/)
    assert.match(await problem(admin, 'POST', stable, request('r')), /spec: Invalid value: exactly one of/)
    await ask(admin, 'POST', stable, request('stable', withStub(stub())))
    const { body: stored } = await ask(admin, 'GET', `${requests}/stable`)
    assert.deepEqual([stored.spec.pkixPublicKey, stored.spec.proofOfPossession], [null, null])
    // what a writer of v1 does not see does not change, unless it is left out of a whole object
    assert.equal(await problem(admin, 'PATCH', `${stable}/stable`, { metadata: { labels: { a: 'b' } } }), '')
    assert.match(
      await problem(admin, 'PATCH', `${stable}/beta`, { metadata: { labels: { a: 'b' } } }),
      /^spec: .*field is immutable/
    )
  })

  it('says for how long, and whose it is', async () => {
    assert.match(await create({ maxExpirationSeconds: 3599 }), /must be in the range \[3600, 7862400\]/)
    assert.match(await create({ signerName: 'kubernetes.io/x', maxExpirationSeconds: 86401 }), /in the range \[3600, 86400\]/)
    assert.match(await create({ nodeUID: '' }), /spec.nodeUID: Invalid value: "": must not be empty/)
    assert.match(await create({ podUID: 'x'.repeat(129) }), /spec.podUID: Too long: may not be more than 128 bytes/)
    assert.match(await create({ unverifiedUserAnnotations: { a: 'b' } }), /domain-prefixed key/)
  })

  const times = (start: number, end: number, refresh = start + 30 * 60_000) => {
    const text = (time: number) => new Date(time).toISOString().replace('.000', '')
    return { notBefore: text(start), notAfter: text(end), beginRefreshAt: text(refresh) }
  }
  const condition = (type: string, more: object = {}) => ({
    type,
    status: 'True',
    reason: 'R',
    message: '',
    lastTransitionTime: '2026-01-02T03:04:05Z',
    ...more
  })
  const issued = (certificateChain: string, more: object = {}) => ({
    conditions: [condition('Issued')],
    certificateChain,
    ...times(now, now + 2 * hour),
    ...more
  })
  const good = certificate('clientAuth', pod.publicKey)

  it('gets one outcome, from those who may sign for the signer', async () => {
    assert.equal(await problem(admin, 'POST', requests, request('once')), '')
    const set = (user: typeof admin, status: object) => problem(user, 'PATCH', `${requests}/once/status`, { status })
    assert.match(await set(writer, issued(good)), /spec.signerName: Forbidden: User "writer" is not permitted to "sign"/)
    assert.match(await set(signer, { certificateChain: 'x' }), /status is immutable unless transitioning/)
    assert.match(await set(signer, { ...issued(good), conditions: [condition('Denied')] }), /non-condition status fields must be/)
    const both = [condition('Issued'), condition('Failed')]
    assert.match(await set(signer, { conditions: both }), /\[1\]\.type: Invalid value: "Failed": There may be at most one/)
    assert.match(await set(signer, { conditions: [condition('Other')] }), /supported values: "Issued", "Denied", "Failed"/)
    assert.equal(await set(signer, issued(good)), '')
    assert.match(await set(signer, { certificateChain: null }), /immutable after PodCertificateRequest is issued/)
    const { body } = await ask(admin, 'GET', `${requests}/once`)
    assert.equal(body.status.certificateChain, good)
    assert.match(await problem(admin, 'PATCH', `${requests}/once`, { spec: { podName: 'q' } }), /^spec: .*field is immutable/)
  })

  for (const [what, status, expected] of [
    ['no certificate', issued('x'), /must contain at least one certificate/],
    ['nonsense', issued(toPem(Buffer.of(1))), /leaf certificate does not parse/],
    ['another key', issued(anchor), /was not issued to the requested public key/],
    ['a broken intermediate', issued(good + toPem(Buffer.of(1))), /intermediate certificate does not parse/],
    ['something else after it', issued(good + toPem(Buffer.of(1), 'KEY')), /consist entirely of CERTFICATE PEM blocks/],
    ['no times', issued(good, { notAfter: null }), /status.notAfter: Required value/],
    ['other times', issued(good, times(now, now + hour)), /must be set to the NotAfter time/],
    ['an old certificate', at(now - 5 * 60_000, now + 2 * hour), /within 5 minutes of kube-apiserver's current time/],
    [
      'a short certificate',
      at(now, now + hour - 1000),
      /Invalid value: 3599000000000: leaf certificate lifetime must be >= 1 hour/
    ],
    ['a long certificate', at(now, now + 25 * hour), /must be <= spec.maxExpirationSeconds \(86400\)/],
    ['an early refresh', issued(good, times(now, now + 2 * hour, now + 599_000)), /at least 10 minutes after status.notBefore/],
    ['a late refresh', issued(good, times(now, now + 2 * hour, now + 2 * hour)), /at least 10 minutes before status.notAfter/]
  ] as const)
    it(`is not issued with ${what}`, async () => {
      const name = what.replaceAll(' ', '-')
      assert.equal(await problem(admin, 'POST', requests, request(name)), '')
      assert.match(await problem(admin, 'PATCH', `${requests}/${name}/status`, { status }), expected)
    })

  function at(start: number, end: number): object {
    return issued(certificate('clientAuth', pod.publicKey, start, end), times(start, end))
  }

  it('has its state in its Table', async () => {
    const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
    const { json } = await server.inject({ url: `${requests}?fieldSelector=metadata.name=once`, user: admin, headers })
    assert.deepEqual(json().rows[0].cells, ['once', 'p', 'default', 'n1', 'a.b/c', 'Issued', '<none>'])
  })
})

describe('a kubelet', () => {
  it('requests certificates for its own Pods, and reads its own requests', async () => {
    const uid = async (url: string) => (await ask(admin, 'GET', url)).body.metadata.uid
    await ask(admin, 'POST', '/api/v1/nodes', { metadata: { name: 'n1' } })
    await ask(admin, 'POST', `${core}/serviceaccounts`, { metadata: { name: 'default' } })
    const made = await ask(admin, 'POST', `${core}/pods`, podWith({ podCertificate: mounted }))
    assert.equal(made.status, 201, made.body.message)
    const podUID: string = made.body.metadata.uid
    const own = {
      podUID,
      nodeUID: await uid('/api/v1/nodes/n1'),
      serviceAccountUID: await uid(`${core}/serviceaccounts/default`),
      proofOfPossession: sign('sha256', Buffer.from(podUID), pod.privateKey).toString('base64')
    }
    const create = (change: object) => problem(kubelet, 'POST', `${requests}?dryRun=All`, request('k', { ...own, ...change }))
    assert.equal(await create({}), '')
    assert.match(await create({ nodeName: 'n2' }), /NodeName="n2", which is not the requesting node "n1"$/)
    assert.match(await create({ nodeUID: 'x' }), /names node UID "x", inconsistent with the running node/)
    assert.match(await create({ podName: 'q' }), /^while retrieving pod "default\/q" named in the PodCertificateRequest: /)
    assert.match(await create({ podUID: 'x' }), /contains pod UID \("x"\) which differs from running pod/)
    assert.match(
      await create({ serviceAccountName: 'x' }),
      /serviceAccountName \("x"\) that differs from running pod \("default"\)/
    )
    assert.match(await create({ serviceAccountUID: 'x' }), /service account UID "x", which differs/)

    await ask(kubelet, 'POST', requests, request('k', own))
    await ask(admin, 'POST', requests, request('other', { nodeName: 'n2' }))
    const read = async (url: string) => (await ask(kubelet, 'GET', url)).status
    assert.equal(await read(`${requests}/k`), 200)
    assert.equal(await read(`${requests}/other`), 403)
    assert.equal(await read(requests), 403)
    assert.equal(await read(`${requests}?fieldSelector=spec.nodeName=n1`), 200)
    assert.equal(await read(`${requests}?fieldSelector=spec.nodeName=n2`), 403)
    assert.equal(await read(bundles), 200)
    assert.match(await problem(kubelet, 'DELETE', `${requests}/k`), /nodes may not delete podcertificaterequests$/)
    assert.match(await problem(kubelet, 'PATCH', `${requests}/k/status`, {}), /may not access the status subresource/)
  })
})
