/** The signers of Kubernetes itself, and the requirements that each has for a request. */
import { generalNameTag } from '../../transport/certificates/general-names.js'
import { OID } from '../../transport/certificates/object-identifiers.js'
import { type SigningRequest, valuesOf } from '../../transport/certificates/signing-request.js'

/** Returns what is wrong with a request; undefined when the signer may sign it. */
type Demand = (request: SigningRequest, usages: readonly string[]) => string | undefined

export const kubeletClientSigner = 'kubernetes.io/kube-apiserver-client-kubelet'

const has = ({ names }: SigningRequest, wanted: number): boolean => names.some(({ tag }) => tag === wanted)

const isOfNodes = (request: SigningRequest): boolean => {
  const organizations = valuesOf(request, OID.organization)
  return organizations.length === 1 && organizations[0] === 'system:nodes'
}

const isNode = (request: SigningRequest): boolean => valuesOf(request, OID.commonName).at(-1)?.startsWith('system:node:') ?? false

const notOfNodes = 'subject organization is not system:nodes'
const notNode = 'subject common name does not begin with system:node:'
const notAllowed = (what: string) => `${what} subjectAltNames are not allowed`

/** Requires both `digital signature` and this purpose, and allows `key encipherment` for RSA keys. */
function usageProblem(usages: readonly string[], purpose: string): string | undefined {
  const given = new Set(usages)
  given.delete('key encipherment')
  if (given.size === 2 && given.has('digital signature') && given.has(purpose)) return undefined
  return `usages did not match [${['digital signature', 'key encipherment', purpose].sort().join(' ')}]`
}

const kubeletServing: Demand = (request, usages) => {
  if (!isOfNodes(request)) return notOfNodes
  if (!has(request, generalNameTag.dns) && !has(request, generalNameTag.ip)) return 'DNS or IP subjectAltName is required'
  if (has(request, generalNameTag.email)) return notAllowed('Email')
  if (has(request, generalNameTag.uri)) return notAllowed('URI')
  return usageProblem(usages, 'server auth') ?? (isNode(request) ? undefined : notNode)
}

export const kubeletClient: Demand = (request, usages) => {
  if (!isOfNodes(request)) return notOfNodes
  if (has(request, generalNameTag.dns)) return notAllowed('DNS')
  if (has(request, generalNameTag.email)) return notAllowed('Email')
  if (has(request, generalNameTag.ip)) return notAllowed('IP')
  if (has(request, generalNameTag.uri)) return notAllowed('URI')
  return isNode(request) ? usageProblem(usages, 'client auth') : notNode
}

const clientUsages: readonly string[] = ['digital signature', 'key encipherment', 'client auth']

const client: Demand = (_request, usages) => {
  const wrong = usages.find(usage => !clientUsages.includes(usage))
  if (wrong !== undefined) return `invalid usage for client certificate: ${wrong}`
  return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth'
}

export const signers: ReadonlyMap<string, Demand> = new Map([
  ['kubernetes.io/kubelet-serving', kubeletServing],
  [kubeletClientSigner, kubeletClient],
  ['kubernetes.io/kube-apiserver-client', client],
  // certificates.k8s.io/v1 rejects this signer, but stores that kube-apiserver has filled hold older requests for it
  ['kubernetes.io/legacy-unknown', () => undefined]
])
