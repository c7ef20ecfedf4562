import type { PodCertificateRequest } from '../../apimachinery/api/generated/certificates-v1.js'
import type { Node, Pod, ServiceAccount } from '../../apimachinery/api/generated/core-v1.js'
import { aboutResource } from '../../apimachinery/request/authorization.js'
import { plainError, StatusError } from '../../apimachinery/status/status.js'
import { goQuote } from '../../util/go-format.js'
import type { AdmissionAttributes } from '../admission.js'
import { type Check, lookUp, nodes, pods, refuse } from './refuse.js'

const accounts = ['', 'serviceaccounts', 'serviceaccount'] as const
const mirror = 'kubernetes.io/config.mirror'

/**
 * A kubelet may request certificates only for the Pods on its node, with all that the request says about them true, and of
 * signers that a volume of the Pod names or that the kubelet is allowed to use for the service account.
 */
export const checkPodCertificateRequest: Check = (node, attributes) => {
  const { operation, subresource, namespace } = attributes
  if (operation !== 'CREATE') throw refuse(attributes, `unexpected operation ${operation}`)
  if (subresource !== '') throw refuse(attributes, `unexpected subresource ${subresource}`)
  const { spec }: PodCertificateRequest = attributes.object
  if (spec.nodeName !== node) {
    const named = `PodCertificateRequest.Spec.NodeName=${goQuote(spec.nodeName)}`
    throw refuse(attributes, `${named}, which is not the requesting node ${goQuote(node)}`)
  }
  const podName = goQuote(`${namespace}/${spec.podName}`)
  const request = `PodCertificateRequest for pod ${podName}`
  const self: Node = named(attributes, nodes, '', spec.nodeName, `node ${goQuote(spec.nodeName)}`)
  if (self.metadata.uid !== spec.nodeUID) {
    const uids = `${goQuote(spec.nodeUID)}, inconsistent with the running node (${goQuote(self.metadata.uid ?? '')})`
    throw plainError(`${request} names node UID ${uids}`)
  }
  const pod: Pod = named(attributes, pods, namespace, spec.podName, `pod ${podName}`)
  if (pod.metadata.uid !== spec.podUID) {
    const uids = `(${goQuote(spec.podUID)}) which differs from running pod ${goQuote(pod.metadata.uid ?? '')}`
    throw plainError(`${request} contains pod UID ${uids}`)
  }
  if (pod.spec.nodeName !== spec.nodeName) {
    const why = `is not running on node ${goQuote(spec.nodeName)} named in the PodCertificateRequest`
    throw refuse(attributes, `pod ${podName} ${why}`)
  }
  if (pod.metadata.annotations?.[mirror] !== undefined) throw refuse(attributes, `pod ${podName} is a mirror pod`)
  const account = spec.serviceAccountName
  if (account !== (pod.spec.serviceAccountName ?? '')) {
    const names = `(${goQuote(account)}) that differs from running pod (${goQuote(pod.spec.serviceAccountName ?? '')})`
    throw refuse(attributes, `${request} contains serviceAccountName ${names}`)
  }
  const what = `service account ${goQuote(`${namespace}/${account}`)}`
  const { metadata }: ServiceAccount = named(attributes, accounts, namespace, account, what)
  if (metadata.uid !== spec.serviceAccountUID) {
    const uids = `${goQuote(spec.serviceAccountUID)}, which differs from the running service account (${goQuote(metadata.uid ?? '')})`
    throw plainError(`${request} names service account UID ${uids}`)
  }
  return checkSigner(attributes, pod, spec)
}

async function checkSigner(
  attributes: AdmissionAttributes,
  pod: Pod,
  { signerName, serviceAccountName, podName }: PodCertificateRequest['spec']
): Promise<void> {
  const isMounted = pod.spec.volumes?.some(({ projected }) =>
    projected?.sources?.some(({ podCertificate }) => podCertificate?.signerName === signerName)
  )
  if (isMounted) return
  const { context, namespace, resource } = attributes
  const { allowed, error } = await context.services.authorizer.authorize(
    aboutResource({
      user: context.user,
      verb: 'request-serviceaccounts-podcertificate-signer',
      group: resource.group,
      version: context.version,
      // a rule of RBAC can name no resource with a slash
      resource: signerName.replaceAll('/', ':'),
      namespace,
      name: serviceAccountName
    })
  )
  if (allowed) return
  const signer = `signer ${goQuote(signerName)}`
  throw refuse(
    attributes,
    error === undefined
      ? `pod ${goQuote(`${namespace}/${podName}`)} does not mount a podCertificate projected volume for ${signer}`
      : `error authorizing ${context.user.name} to request podcertificaterequests for ${signer}: ${error}`
  )
}

/** Looks up an object that the request names. The kubelet may try again when it is missing, so that is no refusal. */
function named(
  attributes: AdmissionAttributes,
  kind: Parameters<typeof lookUp>[1],
  namespace: string,
  name: string,
  what: string
): any {
  try {
    return lookUp(attributes, kind, namespace, name)
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    throw plainError(`while retrieving ${what} named in the PodCertificateRequest: ${error.message}`)
  }
}
