import type { Container, EphemeralContainer, Pod, ServiceAccount, Volume } from '../../../apimachinery/api/generated/core-v1.js'
import { podReferences } from '../../../apimachinery/api/pod-references.js'
import * as refs from '../../../apimachinery/api/resources.js'
import { forbidden, plainError } from '../../../apimachinery/status/status.js'
import { isPathSegmentName } from '../../../apimachinery/validation/names.js'
import { goQuote, parseBool } from '../../../util/go-format.js'
import { cloneJson } from '../../../util/json.js'
import type { AdmissionAttributes, BuiltinPlugin } from '../../admission.js'
import { nameInErrors } from '../../name-in-errors.js'

const pods = { group: '', resource: 'pods' }
const mirror = 'kubernetes.io/config.mirror'
const enforceSecrets = 'kubernetes.io/enforce-mountable-secrets'
const tokenPath = '/var/run/secrets/kubernetes.io/serviceaccount'
/** A little over an hour, because the kubelet renews tokens every hour. */
const tokenSeconds = 3607

/** Sets the service account of Pods, and mounts its token (https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/). */
export const serviceAccount: BuiltinPlugin = {
  name: 'ServiceAccount',
  operations: ['CREATE', 'UPDATE'],
  resources: ['pods'],
  subresources: ['', 'ephemeralcontainers'],
  admit(attributes) {
    if (!isNewPod(attributes)) return
    const pod: Pod = attributes.object
    // a mirror Pod runs already, so it gets no token
    if (pod.metadata.annotations?.[mirror] !== undefined) return this.validate!(attributes)
    const { spec } = pod
    if (!spec.serviceAccountName) spec.serviceAccountName = spec.serviceAccount = 'default'
    const account = find(attributes, spec.serviceAccountName)
    if (wantsToken(pod, account)) mountToken(pod, attributes)
    if (!spec.imagePullSecrets?.length && account.imagePullSecrets?.length)
      spec.imagePullSecrets = cloneJson(account.imagePullSecrets)
    // a Pod that is refused is shown to no webhook
    return this.validate!(attributes)
  },
  validate(attributes) {
    const pod: Pod = attributes.object
    if (isEphemeralChange(attributes)) return checkEphemeral(pod, attributes)
    if (!isNewPod(attributes)) return
    const reject = (why: string) => forbidden(pods, nameInErrors(attributes), why)
    if (pod.metadata.annotations?.[mirror] !== undefined) {
      if (pod.spec.serviceAccountName) throw reject('a mirror pod may not reference service accounts')
      if (podReferences(pod).secrets.length > 0) throw reject('a mirror pod may not reference secrets')
      if (pod.spec.volumes?.some(v => v.projected?.sources?.some(s => s.serviceAccountToken)))
        throw reject('a mirror pod may not use ServiceAccountToken volume projections')
      return
    }
    const account = accountOf(pod, attributes)
    if (!enforces(account)) return
    const secrets = new Set(account.secrets?.map(s => s.name))
    const wrong = secretRefs(pod).find(ref => !secrets.has(ref.name))
    if (wrong)
      throw reject(`${wrong.text} is not allowed because service account ${account.metadata.name} does not reference that secret`)
    const allowed = new Set(account.imagePullSecrets?.map(s => s.name))
    pod.spec.imagePullSecrets?.forEach(({ name = '' }, i) => {
      if (!allowed.has(name)) {
        const which = `imagePullSecrets[${i}].name=${goQuote(name)}`
        throw reject(
          `${which} is not allowed because service account ${account.metadata.name} does not reference that imagePullSecret`
        )
      }
    })
  }
}

const isNewPod = ({ operation, subresource }: AdmissionAttributes) => operation === 'CREATE' && subresource === ''
const isEphemeralChange = ({ operation, subresource }: AdmissionAttributes) =>
  operation === 'UPDATE' && subresource === 'ephemeralcontainers'

const enforces = (account: ServiceAccount) => parseBool(account.metadata.annotations?.[enforceSecrets] ?? '') === true

/** Finds the service account of a Pod, which a webhook may have removed. */
function accountOf({ metadata, spec }: Pod, attributes: AdmissionAttributes): ServiceAccount {
  if (spec.serviceAccountName) return find(attributes, spec.serviceAccountName)
  const why = `no service account specified for pod ${attributes.namespace}/${metadata.name ?? ''}`
  throw forbidden(pods, nameInErrors(attributes), why)
}

function find(attributes: AdmissionAttributes, account: string): ServiceAccount {
  const { namespace, context } = attributes
  const resource = context.services.registry.of(refs.serviceAccounts)
  const found = resource.get(namespace, account)
  if (!found) {
    const wrong = isPathSegmentName(account)
    const why = wrong.length > 0 ? unusableName(account, wrong) : `serviceaccount ${goQuote(account)} not found`
    throw forbidden(pods, nameInErrors(attributes), `error looking up service account ${namespace}/${account}: ${why}`)
  }
  return resource.peek(found)
}

/** The error of Go's client for a name that cannot be part of a URL. */
export const unusableName = (name: string, wrong: readonly string[]): string =>
  `invalid resource name ${goQuote(name)}: [${wrong.join(' ')}]`

function wantsToken(pod: Pod, account: ServiceAccount): boolean {
  return pod.spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true
}

function mountToken(pod: Pod, { context }: AdmissionAttributes): void {
  const { spec } = pod
  const mounted = (container: Container) => container.volumeMounts?.some(m => m.mountPath === tokenPath)
  const existing = spec.volumes?.find(isTokenVolume)?.name
  const name = existing ?? `kube-api-access-${context.services.random.suffix()}`
  let used = false
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    if (mounted(container)) continue
    container.volumeMounts = [...(container.volumeMounts ?? []), { name, readOnly: true, mountPath: tokenPath }]
    used = true
  }
  if (used && !existing) spec.volumes = [...(spec.volumes ?? []), tokenVolume(name)]
}

const isTokenVolume = (volume: Volume) => volume.name.startsWith('kube-api-access-')

function tokenVolume(name: string): Volume {
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: tokenSeconds, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        { downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] } }
      ],
      defaultMode: 0o644
    }
  }
}

interface SecretRef {
  readonly name: string
  readonly text: string
}

function secretRefs({ spec }: Pod): SecretRef[] {
  const volumes = (spec.volumes ?? []).filter(v => v.secret).map(v => named(v.secret!.secretName ?? '', 'volume with '))
  return [
    ...volumes,
    ...containerRefs('init container', spec.initContainers ?? []),
    ...containerRefs('container', spec.containers ?? [])
  ]
}

const named = (name: string, before: string): SecretRef => ({ name, text: `${before}secret.secretName=${goQuote(name)}` })

function containerRefs(kind: string, containers: readonly (Container | EphemeralContainer)[]): SecretRef[] {
  return containers.flatMap(({ name, env, envFrom }) => [
    ...(env ?? [])
      .filter(e => e.valueFrom?.secretKeyRef)
      .map(e => named(e.valueFrom!.secretKeyRef!.name ?? '', `${kind} ${name} with envVar ${e.name} referencing `)),
    ...(envFrom ?? [])
      .filter(e => e.secretRef)
      .map(e => named(e.secretRef!.name ?? '', `${kind} ${name} with envFrom referencing `))
  ])
}

function checkEphemeral(pod: Pod, attributes: AdmissionAttributes): void {
  const account = accountOf(pod, attributes)
  if (!enforces(account)) return
  const secrets = new Set(account.secrets?.map(s => s.name))
  const wrong = containerRefs('ephemeral container', pod.spec.ephemeralContainers ?? []).find(ref => !secrets.has(ref.name))
  // kube-apiserver answers with the plain message here, without a reason
  if (wrong)
    throw plainError(
      `${wrong.text} is not allowed because service account ${account.metadata.name} does not reference that secret`
    )
}
