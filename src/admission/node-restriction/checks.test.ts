/** What a kubelet may write, and what it may not, by the words of the refusal. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Attempt, attempt } from '../../testkit/admission.js'
import { signingRequest } from '../../testkit/signing-request.js'
import { nodeRestriction } from '../plugins/nodes/node-restriction.js'

const kubelet = { name: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] }
const bound = (nodeName: string, more: object = {}) => ({
  metadata: { name: 'p', namespace: 'default', uid: 'u' },
  spec: { nodeName, ...more }
})
const stored = {
  nodes: [{ metadata: { name: 'n1', uid: 'n1-uid' } }],
  pods: [bound('n1'), { ...bound('n2'), metadata: { name: 'other', namespace: 'default', uid: 'o' } }]
}

type Row = readonly [what: string, attempt: Attempt, refused: string | RegExp | undefined]

function table(title: string, rows: readonly Row[]): void {
  describe(title, () => {
    for (const [what, tried, expected] of rows)
      it(`${what}: ${expected === undefined ? 'yes' : 'no'}`, async () => {
        const { refused } = await attempt(nodeRestriction, { user: kubelet, stored, ...tried })
        if (expected instanceof RegExp) assert.match(refused ?? 'allowed', expected)
        else assert.equal(refused, expected)
      })
  })
}

const node = (metadata: object = {}, spec: object = {}) => ({ metadata: { name: 'n1', ...metadata }, spec })
const creates = (object: object): Attempt => ({ resource: 'nodes', namespace: '', object })
const updates = (object: object, oldObject: object = node()): Attempt => ({ ...creates(object), operation: 'UPDATE', oldObject })
const labels = (...keys: string[]) => ({ labels: Object.fromEntries(keys.map(key => [key, 'x'])) })
const self = 'node "n1" is not allowed to'
const configSource = { configMap: {} }
const free = ['a', 'k8s.io', 'k8s.iox', 'example.com/a', 'xk8s.io/a', 'xkubernetes.io/a', 'k8s.io.example.com/a']
const own = [
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
  'kubelet.kubernetes.io/a',
  'a.node.kubernetes.io/b'
]
const reserved = ['k8s.io/a', 'a.k8s.io/b', 'kubernetes.io/a', 'a.kubernetes.io/b', 'xnode.kubernetes.io/a']
const restricted = ['node-restriction.kubernetes.io/a', 'a.node-restriction.kubernetes.io/b']

table('a kubelet and its Node', [
  ['create it', creates(node()), undefined],
  ['create another', creates(node({ name: 'n2' })), `${self} modify node "n2"`],
  [
    'create it with a source of configuration',
    creates(node({}, { configSource })),
    `${self} create pods with a non-nil configSource`
  ],
  ...[...free, ...own].map((key): Row => [`create it with ${key}`, creates(node(labels(key))), undefined]),
  ...[...reserved, ...restricted].map(
    (key): Row => [`create it with ${key}`, creates(node(labels(key))), `${self} set the following labels: ${key}`]
  ),
  ['create it with taints', creates(node({}, { taints: [{ key: 'a' }] })), undefined],
  ['update it', updates(node()), undefined],
  ['update another', updates(node({ name: 'n2' })), `${self} modify node "n2"`],
  ['delete it', { operation: 'DELETE', resource: 'nodes', namespace: '', oldObject: node() }, undefined],
  [
    'delete another',
    { operation: 'DELETE', resource: 'nodes', namespace: '', oldObject: node({ name: 'n2' }) },
    `${self} modify node "n2"`
  ],
  [
    'set the source of its configuration',
    updates(node({}, { configSource })),
    `${self} update configSource to a new non-nil configSource`
  ],
  ['keep the source of its configuration', updates(node({}, { configSource }), node({}, { configSource })), undefined],
  ['drop the source of its configuration', updates(node(), node({}, { configSource })), undefined],
  ['add taints', updates(node({}, { taints: [{ key: 'a' }] })), `${self} modify taints`],
  ['remove taints', updates(node(), node({}, { taints: [{ key: 'a' }] })), `${self} modify taints`],
  ['keep taints', updates(node({}, { taints: [{ key: 'a' }] }), node({}, { taints: [{ key: 'a' }] })), undefined],
  ['add owners', updates(node({ ownerReferences: [{ uid: 'u' }] })), `${self} modify ownerReferences`],
  ['remove owners', updates(node(), node({ ownerReferences: [{ uid: 'u' }] })), `${self} modify ownerReferences`],
  ...[...free, ...own].map((key): Row => [`add ${key}`, updates(node(labels(key))), undefined]),
  ...restricted.map((key): Row => [`add ${key}`, updates(node(labels(key))), `is not allowed to modify labels: ${key}`]),
  ...restricted.map(
    (key): Row => [`remove ${key}`, updates(node(), node(labels(key))), `is not allowed to modify labels: ${key}`]
  ),
  ...restricted.map((key): Row => [`keep ${key}`, updates(node(labels(key)), node(labels(key))), undefined]),
  [
    'change two labels',
    updates(node({ labels: { 'k8s.io/b': 'y', 'k8s.io/a': 'x' } }), node(labels('k8s.io/b'))),
    'is not allowed to modify labels: k8s.io/a, k8s.io/b'
  ]
])

const owner = { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'n1-uid', controller: true }
const annotations = { 'kubernetes.io/config.mirror': 'x' }
const mirror = (metadata: object = {}, spec: object = {}): Attempt => ({
  resource: 'pods',
  object: { metadata: { name: 'm', annotations, ownerReferences: [owner], ...metadata }, spec: { nodeName: 'n1', ...spec } }
})
const ownedBy = (...ownerReferences: object[]) => mirror({ ownerReferences })
const only = 'node "n1" can only create pods with'
const refers = (what: string) => `node "n1" can not create pods that reference ${what}`
const volume = (source: object) =>
  mirror(
    {},
    {
      volumes: [
        { name: 'v', emptyDir: {} },
        { name: 'w', ...source }
      ]
    }
  )
const projected = (source: object) => volume({ projected: { sources: [{ downwardAPI: {} }, source] } })
const env = (valueFrom: object) => mirror({}, { containers: [{ name: 'c', env: [{ name: 'E', valueFrom }] }] })

table('a kubelet that creates a Pod', [
  ['a mirror Pod', mirror(), undefined],
  [
    'no mirror',
    mirror({ annotations: {} }),
    'pod does not have "kubernetes.io/config.mirror" annotation, node "n1" can only create mirror pods'
  ],
  ['without annotations', mirror({ annotations: undefined }), /can only create mirror pods$/],
  ['on another node', mirror({}, { nodeName: 'n2' }), `${only} spec.nodeName set to itself`],
  ['without owner', mirror({ ownerReferences: undefined }), `${only} an owner reference set to itself`],
  ['with two owners', ownedBy(owner, owner), `${only} a single owner reference set to itself`],
  ['of another version', ownedBy({ ...owner, apiVersion: 'v2' }), `${only} an owner reference set to itself`],
  ['of another kind', ownedBy({ ...owner, kind: 'Pod' }), `${only} an owner reference set to itself`],
  ['of another node', ownedBy({ ...owner, name: 'n2' }), `${only} an owner reference set to itself`],
  ['not controlled', ownedBy({ ...owner, controller: false }), `${only} a controller owner reference set to itself`],
  [
    'that blocks the deletion of the node',
    ownedBy({ ...owner, blockOwnerDeletion: true }),
    'node "n1" must not set blockOwnerDeletion on an owner reference'
  ],
  ['that does not block it', ownedBy({ ...owner, blockOwnerDeletion: false }), undefined],
  ['of a former node', ownedBy({ ...owner, uid: 'before' }), 'node n1 UID mismatch: expected before got n1-uid'],
  ['while the node is missing', { ...mirror(), stored: { nodes: [] } }, 'node "n1" not found'],
  ['with a service account', mirror({}, { serviceAccountName: 's' }), refers('serviceaccounts')],
  ['with a secret in the environment', env({ secretKeyRef: { name: 's', key: 'k' } }), refers('secrets')],
  ['with a config map in the environment', env({ configMapKeyRef: { name: 's', key: 'k' } }), refers('configmaps')],
  ['with resource claims', mirror({}, { resourceClaims: [{ name: 'c' }] }), refers('resourceclaims')],
  ['with no resource claims', mirror({}, { resourceClaims: [] }), undefined],
  ['with an empty directory', volume({ emptyDir: {} }), undefined],
  ['with a claim', volume({ persistentVolumeClaim: { claimName: 'c' } }), refers('persistentvolumeclaims')],
  ['with a claim of its own', volume({ ephemeral: {} }), refers('persistentvolumeclaims (via ephemeral volumes)')],
  ['with a config map', volume({ configMap: {} }), refers('configmaps (via configmap volumes)')],
  ['with a secret', volume({ secret: {} }), refers('secrets (via secret volumes)')],
  ['with an Azure file', volume({ azureFile: {} }), refers('secrets (via azureFile volumes)')],
  ['with a projected config map', projected({ configMap: {} }), refers('configmaps (via projected volumes)')],
  ['with a projected secret', projected({ secret: {} }), refers('secrets (via projected volumes)')],
  ['with a CSI volume', volume({ csi: { driver: 'd' } }), refers('csidrivers (via CSI volumes)')],
  ['with endpoints', volume({ glusterfs: { endpoints: 'e' } }), refers('endpoints (via glusterFS volumes)')],
  [
    'with a projected token',
    projected({ serviceAccountToken: { path: 't' } }),
    refers('serviceaccounts (via projected volumes)')
  ],
  ['with projected trust', projected({ clusterTrustBundle: { path: 't' } }), refers('clustertrustbundles')],
  ['with a projected certificate', projected({ podCertificate: {} }), refers('podcertificates')]
])

const pod = (status: object = {}, more: object = {}) => ({ ...bound('n1'), metadata: { name: 'p', ...more }, status })
const status = (object: object, oldObject: object): Attempt => ({
  operation: 'UPDATE',
  resource: 'pods',
  subresource: 'status',
  object,
  oldObject
})
const claimed = (...names: (string | undefined)[]) =>
  pod({ resourceClaimStatuses: names.map((resourceClaimName, i) => ({ name: `c${i}`, resourceClaimName })) })
const extended = (resourceClaimName: string, ...requestMappings: string[]) =>
  pod({ extendedResourceClaimStatus: { resourceClaimName, requestMappings } })
const claimsStay = 'node "n1" cannot update resource claim statues'
const nodeClaim = (resourceClaimName: string) =>
  pod({ nodeAllocatableResourceClaimStatuses: [{ resourceClaimName, mapping: [{ name: 'cpu', quantity: '1' }] }] })
const nodeClaimsStay = 'node "n1" cannot update node allocatable resource claim statuses'
const extendedStays = 'node "n1" cannot update extended resource claim status'
const eviction = (name: string): Attempt => ({ resource: 'pods', subresource: 'eviction', object: { metadata: { name } } })
const elsewhere = { ...pod(), spec: { nodeName: 'n2' } }

table('a kubelet and Pods that exist', [
  ['report their status', status(pod({ phase: 'Running' }), pod()), undefined],
  [
    'report the status of others',
    status(elsewhere, elsewhere),
    /can only update pod status for pods with spec.nodeName set to itself$/
  ],
  ['take a Pod by its status', status(pod(), elsewhere), /can only update pod status for pods with spec.nodeName set to itself$/],
  ['change labels by the status', status(pod({}, labels('a')), pod()), 'node "n1" cannot update labels through pod status'],
  ['keep labels', status(pod({}, labels('a')), pod({}, labels('a'))), undefined],
  ['keep claims', status(claimed('a', undefined), claimed('a', undefined)), undefined],
  ['add a claim', status(claimed('a'), pod()), claimsStay],
  ['rename a claim', status(claimed('b'), claimed('a')), claimsStay],
  ['keep what a claim takes of the node', status(nodeClaim('a'), nodeClaim('a')), undefined],
  ['say what a claim takes of the node', status(nodeClaim('a'), pod()), nodeClaimsStay],
  ['say that another claim takes of the node', status(nodeClaim('b'), nodeClaim('a')), nodeClaimsStay],
  ['name a claim', status(claimed('a'), claimed(undefined)), claimsStay],
  ['keep an extended claim', status(extended('a', 'm'), extended('a', 'm')), undefined],
  ['add an extended claim', status(extended('a'), pod()), extendedStays],
  ['rename an extended claim', status(extended('b'), extended('a')), extendedStays],
  ['change its mappings', status(extended('a', 'n'), extended('a', 'm')), extendedStays],
  ['create a status', { ...status(pod(), pod()), operation: 'CREATE' }, 'unexpected operation "CREATE"'],
  [
    'update a Pod',
    { operation: 'UPDATE', resource: 'pods', object: pod(), oldObject: pod() },
    'unexpected operation "UPDATE", node "n1" can only create and delete mirror pods'
  ],
  ['delete its Pod', { operation: 'DELETE', resource: 'pods', oldObject: pod() }, undefined],
  [
    'delete another Pod',
    { operation: 'DELETE', resource: 'pods', oldObject: elsewhere },
    /can only delete pods with spec.nodeName set to itself$/
  ],
  ['evict its Pod', eviction('p'), undefined],
  ['evict another Pod', eviction('other'), 'node n1 can only evict pods with spec.nodeName set to itself'],
  ['evict a Pod that is missing', eviction('gone'), 'pod "gone" not found'],
  ['update an eviction', { ...eviction('p'), operation: 'UPDATE' }, 'unexpected operation UPDATE'],
  [
    'another subresource',
    { resource: 'pods', subresource: 'binding', object: pod() },
    `unexpected pod subresource "binding", only 'status' and 'eviction' are allowed`
  ]
])

const claim = (spec: object, state: object = {}, metadata: object = {}) => ({
  metadata: { name: 'c', ...metadata },
  spec,
  status: state
})
const growth = { capacity: { storage: '2Gi' }, conditions: [], allocatedResourceStatuses: {}, allocatedResources: {} }
const claimStatus = (object: object, more: object = {}): Attempt => ({
  operation: 'UPDATE',
  resource: 'persistentvolumeclaims',
  subresource: 'status',
  object,
  oldObject: claim({ volumeName: 'v' }, { phase: 'Bound' }, { resourceVersion: '1' }),
  ...more
})
const otherFields = /^node "n1" is not allowed to update fields other than status.quantity and status.conditions: /

table('a kubelet and claims', [
  ['report growth', claimStatus(claim({ volumeName: 'v' }, { phase: 'Bound', ...growth }, { managedFields: [] })), undefined],
  ['change the phase', claimStatus(claim({ volumeName: 'v' }, { phase: 'Lost' })), otherFields],
  ['change the volume', claimStatus(claim({ volumeName: 'w' }, { phase: 'Bound' })), otherFields],
  ['change labels', claimStatus(claim({ volumeName: 'v' }, { phase: 'Bound' }, labels('a'))), otherFields],
  ['update it', claimStatus(claim({}), { subresource: '' }), 'may only update PVC status'],
  ['create it', claimStatus(claim({}), { operation: 'CREATE' }), 'unexpected operation "CREATE"']
])

const certificate = (commonName: string, signerName = 'kubernetes.io/kubelet-serving', more: object = {}): Attempt => ({
  resource: 'certificatesigningrequests.certificates.k8s.io',
  namespace: '',
  object: { metadata: { name: 'r' }, spec: { signerName, request: signingRequest('system:nodes', commonName) } },
  ...more
})
const cn = 'can only create a node CSR with CN=system:node:n1'

table('a kubelet and certificates', [
  ['for itself, to serve', certificate('system:node:n1'), undefined],
  ['for itself, as a client', certificate('system:node:n1', 'kubernetes.io/kube-apiserver-client-kubelet'), undefined],
  ['for another node', certificate('system:node:n2'), cn],
  ['for another node, as a client', certificate('system:node:n2', 'kubernetes.io/kube-apiserver-client-kubelet'), cn],
  ['of another signer', certificate('anybody', 'example.com/signer'), undefined],
  [
    'that cannot be read',
    { ...certificate(''), object: { metadata: {}, spec: { signerName: 'kubernetes.io/kubelet-serving' } } },
    /^unable to parse csr: /
  ],
  ['that exists', certificate('system:node:n2', undefined, { operation: 'UPDATE' }), undefined]
])

const ref = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }
const token = (boundObjectRef: object | undefined, audiences: string[] | undefined = undefined, more: object = {}): Attempt => ({
  resource: 'serviceaccounts',
  subresource: 'token',
  object: { metadata: { name: 's' }, spec: { boundObjectRef, audiences } },
  allows: () => false,
  ...more
})
const unbound = 'node requested token not bound to a pod'
/** A token for an audience of a Pod with this volume. */
const mounted = (audience: string, source: object, more: object = {}): Attempt =>
  token(ref, [audience], { stored: { ...stored, pods: [bound('n1', { volumes: [{ name: 'v', ...source }] })], ...more } })
const drivers = (name: string) => ({
  'csidrivers.storage.k8s.io': [{ metadata: { name }, spec: { tokenRequests: [{ audience: 'x' }, { audience: 'vault' }] } }]
})
const claims = (volumeName: string) => ({
  persistentvolumeclaims: [{ metadata: { name: 'c', namespace: 'default' }, spec: { volumeName } }]
})
const volumes = (spec: object) => ({ persistentvolumes: [{ metadata: { name: 'pv' }, spec }] })
const tokenFor = (audience?: string) => ({
  projected: { sources: [{ secret: {} }, { serviceAccountToken: { audience, path: 't' } }] }
})
const notNamed = (audience: string) => `system:node:n1 is not authorized to request tokens for audience "${audience}"`
const allowed = { allows: (question: string) => question === 'request-serviceaccounts-token-audience vault/s' }

const migrated: readonly (readonly [field: string, driver: string])[] = [
  ['awsElasticBlockStore', 'ebs.csi.aws.com'],
  ['gcePersistentDisk', 'pd.csi.storage.gke.io'],
  ['azureDisk', 'disk.csi.azure.com'],
  ['azureFile', 'file.csi.azure.com'],
  ['cinder', 'cinder.csi.openstack.org'],
  ['vsphereVolume', 'csi.vsphere.vmware.com'],
  ['portworxVolume', 'pxd.portworx.com']
]

table('a kubelet and tokens', [
  ['for nothing', token(undefined), unbound],
  ['for a secret', token({ ...ref, kind: 'Secret' }), unbound],
  ['for a Pod of another version', token({ ...ref, apiVersion: 'v2' }), unbound],
  ['for a Pod without a name', token({ ...ref, name: '' }), unbound],
  ['for a Pod without a uid', token({ ...ref, uid: '' }), 'node requested token with a pod binding without a uid'],
  ['for a Pod that is missing', token({ ...ref, name: 'gone' }), 'pod "gone" not found'],
  [
    'for a former Pod',
    token({ ...ref, uid: 'before' }),
    /^the UID in the bound object reference \(before\) does not match the UID in record/
  ],
  [
    'for a Pod elsewhere',
    token({ ...ref, name: 'other', uid: 'o' }),
    'node requested token bound to a pod scheduled on a different node'
  ],
  ['for two audiences', token(ref, ['a', 'b']), 'node may only request 0 or 1 audiences'],
  ['for an audience that no volume names', token(ref, ['vault']), notNamed('vault')],
  ['for no audience', token(ref), notNamed('')],
  ['for an audience that it may request', token(ref, ['vault'], allowed), undefined],
  ['for another than it may request', token(ref, ['other'], allowed), notNamed('other')],
  ['for the audience of a volume', mounted('vault', tokenFor('vault')), undefined],
  ['for no audience, as the volume', mounted('', tokenFor()), undefined],
  ['for another audience than the volume', mounted('vault', tokenFor('other')), notNamed('vault')],
  ['for that of a CSI volume', mounted('vault', { csi: { driver: 'd' } }, drivers('d')), undefined],
  ['for another than the driver asks for', mounted('other', { csi: { driver: 'd' } }, drivers('d')), notNamed('other')],
  [
    'of a driver that asks for none',
    mounted('vault', { csi: { driver: 'd' } }, { 'csidrivers.storage.k8s.io': [{ metadata: { name: 'd' }, spec: {} }] }),
    notNamed('vault')
  ],
  [
    'of a driver that is missing',
    mounted('vault', { csi: { driver: 'gone' } }, drivers('d')),
    'error validating audience "vault": csidriver.storage.k8s.io "gone" not found'
  ],
  ...migrated.map(
    ([field, driver]): Row => [
      `for that of the driver of ${field}`,
      mounted('vault', { [field]: {} }, drivers(driver)),
      undefined
    ]
  ),
  [
    'for that of a claimed volume',
    mounted(
      'vault',
      { persistentVolumeClaim: { claimName: 'c' } },
      { ...drivers('d'), ...claims('pv'), ...volumes({ csi: { driver: 'd' } }) }
    ),
    undefined
  ],
  [
    'for that of a claimed volume whose driver took over',
    mounted(
      'vault',
      { persistentVolumeClaim: { claimName: 'c' } },
      { ...drivers('ebs.csi.aws.com'), ...claims('pv'), ...volumes({ awsElasticBlockStore: {} }) }
    ),
    undefined
  ],
  [
    'of a volume that is missing',
    mounted('vault', { persistentVolumeClaim: { claimName: 'c' } }, { ...claims('gone'), ...volumes({}) }),
    'error validating audience "vault": persistentvolume "gone" not found'
  ],
  ['update of a token', token(undefined, undefined, { operation: 'UPDATE' }), undefined],
  ['a service account', token(undefined, undefined, { subresource: '' }), undefined]
])

const slice = (nodeName: string) => ({ metadata: { name: 's' }, spec: { nodeName } })
const slices = 'resourceslices.resource.k8s.io'
const lease = (name: string, operation: 'CREATE' | 'UPDATE' | 'DELETE'): Attempt => ({
  operation,
  resource: 'leases.coordination.k8s.io',
  namespace: 'kube-node-lease',
  ...(operation === 'DELETE' ? { oldObject: { metadata: { name } } } : { object: { metadata: { name } } })
})

table('a kubelet and what else it has', [
  ['update its lease', lease('n1', 'UPDATE'), undefined],
  ['update the lease of another', lease('n2', 'UPDATE'), /^can only access node lease with the same name/],
  ['delete the lease of another', lease('n2', 'DELETE'), /^can only access node lease with the same name/],
  [
    'update the slice of another',
    { operation: 'UPDATE', resource: slices, object: slice('n2'), oldObject: slice('n2') },
    undefined
  ],
  ['delete its slice', { operation: 'DELETE', resource: slices, oldObject: slice('n1') }, undefined],
  ['another resource', { resource: 'configmaps', object: { metadata: { name: 'x' } } }, undefined]
])

const wanted = {
  signerName: 'a.b/c',
  podName: 'p',
  podUID: 'u',
  nodeName: 'n1',
  nodeUID: 'n1-uid',
  serviceAccountName: 'bot',
  serviceAccountUID: 'bot-uid'
}
const requests = 'podcertificaterequests.certificates.k8s.io'
const withPod = (metadata: object = {}, spec: object = {}) => ({
  ...stored,
  pods: [
    {
      metadata: { name: 'p', namespace: 'default', uid: 'u', ...metadata },
      spec: {
        nodeName: 'n1',
        serviceAccountName: 'bot',
        volumes: [{ name: 'a' }, { name: 'b', projected: { sources: [{}, { podCertificate: { signerName: 'a.b/c' } }] } }],
        ...spec
      }
    }
  ],
  serviceaccounts: [{ metadata: { name: 'bot', namespace: 'default', uid: 'bot-uid' } }]
})
const asks = (spec: object = {}, objects: Attempt['stored'] = withPod(), more: Partial<Attempt> = {}): Attempt => ({
  ...{ resource: requests, object: { metadata: { name: 'r' }, spec: { ...wanted, ...spec } }, stored: objects },
  ...more
})
const forPod = 'PodCertificateRequest for pod "default/p"'

table('a kubelet and the certificates of its Pods', [
  ['a true request', asks(), undefined],
  [
    'an update',
    asks({}, withPod(), { operation: 'UPDATE', oldObject: { metadata: { name: 'r' } } }),
    'unexpected operation UPDATE'
  ],
  ['a status', asks({}, withPod(), { subresource: 'status' }), 'unexpected subresource status'],
  [
    'for another node',
    asks({ nodeName: 'n2' }),
    'PodCertificateRequest.Spec.NodeName="n2", which is not the requesting node "n1"'
  ],
  [
    'for another edition of the node',
    asks({ nodeUID: 'x' }),
    `${forPod} names node UID "x", inconsistent with the running node ("n1-uid")`
  ],
  [
    'for a node that is missing',
    asks({}, { ...withPod(), nodes: [] }),
    /^while retrieving node "n1" named in the PodCertificateRequest: .*not found/
  ],
  [
    'for a Pod that is missing',
    asks({ podName: 'q' }),
    /^while retrieving pod "default\/q" named in the PodCertificateRequest: /
  ],
  [
    'for another edition of the Pod',
    asks({ podUID: 'x' }),
    `${forPod} contains pod UID ("x") which differs from running pod "u"`
  ],
  [
    'for a Pod on another node',
    asks({}, withPod({}, { nodeName: 'n2' })),
    'pod "default/p" is not running on node "n1" named in the PodCertificateRequest'
  ],
  [
    'for a mirror Pod',
    asks({}, withPod({ annotations: { 'kubernetes.io/config.mirror': '' } })),
    'pod "default/p" is a mirror pod'
  ],
  [
    'for another service account',
    asks({ serviceAccountName: 'x' }),
    `${forPod} contains serviceAccountName ("x") that differs from running pod ("bot")`
  ],
  [
    'for another service account than none',
    asks({}, withPod({}, { serviceAccountName: undefined })),
    `${forPod} contains serviceAccountName ("bot") that differs from running pod ("")`
  ],
  [
    'for a service account that is missing',
    asks({}, { ...withPod(), serviceaccounts: [] }),
    /^while retrieving service account "default\/bot" named in the PodCertificateRequest: /
  ],
  [
    'for another edition of the service account',
    asks({ serviceAccountUID: 'x' }),
    `${forPod} names service account UID "x", which differs from the running service account ("bot-uid")`
  ],
  [
    'of a signer that no volume names',
    asks({ signerName: 'a.b/d' }),
    'pod "default/p" does not mount a podCertificate projected volume for signer "a.b/d"'
  ],
  [
    'of a signer, without volumes',
    asks({}, withPod({}, { volumes: undefined })),
    'pod "default/p" does not mount a podCertificate projected volume for signer "a.b/c"'
  ],
  [
    'of a signer that it may use for the service account',
    asks({ signerName: 'a.b/d' }, withPod(), {
      allows: question => question === 'request-serviceaccounts-podcertificate-signer a.b:d/bot'
    }),
    undefined
  ]
])

const csiNode = (name: string, ...drivers: string[]) => ({
  metadata: { name },
  spec: { drivers: drivers.map(name => ({ name })) }
})
const csiStatus = (object: object, oldObject: object, more: Partial<Attempt> = {}): Attempt => ({
  ...{ operation: 'UPDATE', resource: 'csinodes.storage.k8s.io', subresource: 'status', namespace: '' },
  ...{ object, oldObject, featureGates: { CSIVolumeHealth: true } },
  ...more
})

table('a kubelet and the status of its CSINode', [
  ['report it', csiStatus(csiNode('n1', 'a'), csiNode('n1', 'a')), undefined],
  [
    'change the drivers by it',
    csiStatus(csiNode('n1', 'a', 'b'), csiNode('n1', 'a')),
    'node "n1" is not allowed to modify CSINode spec via status'
  ],
  [
    'report it without the feature gate',
    csiStatus(csiNode('n1'), csiNode('n1'), { featureGates: {} }),
    'CSIVolumeHealth feature gate is disabled'
  ],
  [
    'report that of another node',
    csiStatus(csiNode('n2'), csiNode('n2')),
    'can only access CSINode with the same name as the requesting node'
  ],
  ['create it', csiStatus(csiNode('n1'), csiNode('n1'), { operation: 'CREATE' }), 'unexpected operation "CREATE"']
])
