import type { TokenRequest } from '../../apimachinery/api/generated/authentication-v1.js'
import type { PersistentVolume, PersistentVolumeClaim, Pod, Volume } from '../../apimachinery/api/generated/core-v1.js'
import type { CSIDriver } from '../../apimachinery/api/generated/storage-v1.js'
import { claimOf } from '../../apimachinery/api/pod-references.js'
import { aboutResource } from '../../apimachinery/request/authorization.js'
import { StatusError } from '../../apimachinery/status/status.js'
import { aggregateText, goQuote } from '../../util/go-format.js'
import type { AdmissionAttributes } from '../admission.js'
import { type Check, lookUp, pods, refuse } from './refuse.js'

const claims = ['', 'persistentvolumeclaims', 'persistentvolumeclaim'] as const
const volumes = ['', 'persistentvolumes', 'persistentvolume'] as const
const drivers = ['storage.k8s.io', 'csidrivers', 'csidriver'] as const

/** The CSI drivers that have replaced Kubernetes' own kinds of volumes. */
const migrated = [
  ['awsElasticBlockStore', 'ebs.csi.aws.com'],
  ['gcePersistentDisk', 'pd.csi.storage.gke.io'],
  ['azureDisk', 'disk.csi.azure.com'],
  ['azureFile', 'file.csi.azure.com'],
  ['cinder', 'cinder.csi.openstack.org'],
  ['vsphereVolume', 'csi.vsphere.vmware.com'],
  ['portworxVolume', 'pxd.portworx.com']
] as const

/** A kubelet may request tokens for the Pods on its node, and for audiences that their volumes name. */
export const checkToken: Check = (node, attributes) => {
  if (attributes.operation !== 'CREATE' || attributes.subresource !== 'token') return undefined
  const { boundObjectRef: ref, audiences }: TokenRequest['spec'] = attributes.object.spec
  if (ref?.apiVersion !== 'v1' || ref.kind !== 'Pod' || !ref.name)
    throw refuse(attributes, 'node requested token not bound to a pod')
  if (!ref.uid) throw refuse(attributes, 'node requested token with a pod binding without a uid')
  const pod: Pod = lookUp(attributes, pods, attributes.namespace, ref.name)
  if (ref.uid !== pod.metadata.uid) {
    const why = `the UID in the bound object reference (${ref.uid}) does not match the UID in record`
    throw refuse(attributes, `${why}. The object might have been deleted and then recreated`)
  }
  if (pod.spec.nodeName !== node) throw refuse(attributes, 'node requested token bound to a pod scheduled on a different node')
  if ((audiences?.length ?? 0) > 1) throw refuse(attributes, 'node may only request 0 or 1 audiences')
  if (!attributes.context.services.features.enabled('ServiceAccountNodeAudienceRestriction')) return undefined
  return checkAudience(attributes, pod, audiences?.[0] ?? '')
}

async function checkAudience(attributes: AdmissionAttributes, pod: Pod, audience: string): Promise<void> {
  const problems: string[] = []
  for (const volume of pod.spec.volumes ?? []) {
    if (volume.projected?.sources?.some(s => s.serviceAccountToken && (s.serviceAccountToken.audience ?? '') === audience)) return
    try {
      const driver = driverOf(attributes, pod, volume)
      if (driver !== undefined && driverAsksFor(attributes, driver, audience)) return
    } catch (error) {
      if (!(error instanceof StatusError)) throw error
      problems.push(error.message)
    }
  }
  const quoted = goQuote(audience)
  if (problems.length > 0) throw refuse(attributes, `error validating audience ${quoted}: ${aggregateText(problems)}`)
  const { context, namespace, name } = attributes
  const question = { user: context.user, verb: 'request-serviceaccounts-token-audience', group: '', version: 'v1' }
  const { authorizer } = context.services
  const { allowed, error } = await authorizer.authorize(aboutResource({ ...question, resource: audience, namespace, name }))
  if (allowed) return
  throw refuse(
    attributes,
    error === undefined
      ? `${context.user.name} is not authorized to request tokens for audience ${quoted}`
      : `error authorizing ${context.user.name} to request tokens for audience ${quoted}: ${error}`
  )
}

function driverOf(attributes: AdmissionAttributes, pod: Pod, volume: Volume): string | undefined {
  const claim = claimOf(pod, volume)
  if (claim === undefined) return volume.csi?.driver ?? migratedDriver(volume)
  const { spec }: PersistentVolumeClaim = lookUp(attributes, claims, attributes.namespace, claim)
  const mounted: PersistentVolume = lookUp(attributes, volumes, '', spec.volumeName ?? '')
  return mounted.spec.csi?.driver ?? migratedDriver(mounted.spec)
}

const migratedDriver = (source: { readonly [field in (typeof migrated)[number][0]]?: unknown }): string | undefined =>
  migrated.find(([field]) => source[field])?.[1]

const driverAsksFor = (attributes: AdmissionAttributes, name: string, audience: string): boolean => {
  const driver: CSIDriver = lookUp(attributes, drivers, '', name)
  return driver.spec.tokenRequests?.some(request => request.audience === audience) ?? false
}
