import type { CSIDriver, CSIDriverSpec, TokenRequest } from '../../apimachinery/api/generated/storage-v1.js'
import { age } from '../../apimachinery/formats/table.js'
import { given } from '../../apimachinery/schema/given.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { defineKind } from '../../registry/kind.js'
import { equalJson } from '../../util/json.js'
import { builtinColumns } from '../columns.js'
import { validateImmutable } from '../immutable.js'

const modes = ['Persistent', 'Ephemeral']
const fsGroupPolicies = ['File', 'None', 'ReadWriteOnceWithFSType']
const minTokenSeconds = 10 * 60
const maxTokenSeconds = 2 ** 32
const minUpdatePeriodSeconds = 10

export const csiDriver = defineKind<CSIDriver>({
  group: 'storage.k8s.io',
  kind: 'CSIDriver',
  resource: 'csidrivers',
  namespaced: false,
  versions: [{ name: 'v1', type: 'storage.v1.CSIDriver' }],
  table: {
    columns: builtinColumns<CSIDriver>('storage.k8s.io/csidrivers', {
      Name: o => o.metadata.name,
      AttachRequired: o => o.spec.attachRequired ?? true,
      PodInfoOnMount: o => o.spec.podInfoOnMount ?? false,
      StorageCapacity: o => o.spec.storageCapacity ?? false,
      TokenRequests: o => o.spec.tokenRequests?.map(t => t.audience).join(',') ?? '<unset>',
      RequiresRepublish: o => o.spec.requiresRepublish ?? false,
      Modes: o => o.spec.volumeLifecycleModes?.join(',') || '<none>',
      Age: age
    })
  },
  gatedFields: [
    { gates: 'SELinuxMountReadWriteOncePod', fields: ['spec.seLinuxMount'] },
    { gates: 'MutableCSINodeAllocatableCount', fields: ['spec.nodeAllocatableUpdatePeriodSeconds'] },
    { gates: 'CSIServiceAccountTokenSecrets', fields: ['spec.serviceAccountTokenInSecrets'] },
    { gates: 'VolumeLimitScaling', fields: ['spec.preventPodSchedulingIfMissing'] }
  ],
  strategy: {
    allowUnconditionalUpdate: false,
    default({ spec }, { services }) {
      spec.attachRequired ??= true
      spec.podInfoOnMount ??= false
      if (!spec.volumeLifecycleModes?.length) spec.volumeLifecycleModes = ['Persistent']
      spec.storageCapacity ??= false
      spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType'
      spec.requiresRepublish ??= false
      spec.seLinuxMount ??= false
      if (services?.features.enabled('VolumeLimitScaling')) spec.preventPodSchedulingIfMissing ??= false
    },
    prepareForUpdate(o, old) {
      // unlike other kinds, a new object has no generation; the first change sets it
      if (!equalJson(changeable(o.spec), changeable(old.spec))) o.metadata.generation = (old.metadata.generation ?? 0) + 1
    },
    validate({ spec }, errors) {
      const at = Path.of('spec')
      if (!fsGroupPolicies.includes(spec.fsGroupPolicy!))
        errors.notSupported(at.child('fsGroupPolicy'), spec.fsGroupPolicy, fsGroupPolicies)
      validateTokenRequests(spec.tokenRequests ?? [], at.child('tokenRequests'), errors)
      for (const mode of spec.volumeLifecycleModes ?? [])
        if (!modes.includes(mode)) errors.notSupported(at.child('volumeLifecycleModes'), mode, modes)
      const period = spec.nodeAllocatableUpdatePeriodSeconds
      if (period !== undefined && period < minUpdatePeriodSeconds) {
        errors.invalid(
          at.child('nodeAllocatableUpdatePeriodSeconds'),
          period,
          `must be greater than or equal to ${minUpdatePeriodSeconds} seconds`
        )
      }
      if (spec.serviceAccountTokenInSecrets !== undefined && !spec.tokenRequests?.length) {
        errors.invalid(
          at.child('serviceAccountTokenInSecrets'),
          spec.serviceAccountTokenInSecrets,
          'serviceAccountTokenInSecrets is set but no tokenRequests are specified'
        )
      }
    },
    validateUpdate({ spec }, { spec: old }, errors) {
      // kube-apiserver's first path has this name
      validateImmutable('spec.attachedRequired', spec.attachRequired, old.attachRequired, errors)
      validateImmutable('spec.volumeLifecycleModes', given(spec, 'volumeLifecycleModes'), old.volumeLifecycleModes, errors)
    },
    warnings({ spec }, old) {
      if (!spec.tokenRequests?.length || spec.serviceAccountTokenInSecrets !== undefined) return []
      if (old && equalJson(spec.tokenRequests, old.spec.tokenRequests)) return []
      return [
        'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes'
      ]
    }
  },
  deletion: { returnsObject: true }
})

const changeable = ({ attachRequired: _, volumeLifecycleModes: __, ...rest }: CSIDriverSpec) => rest

function validateTokenRequests(requests: readonly TokenRequest[], path: Path, errors: FieldErrors): void {
  const audiences = new Set<string>()
  requests.forEach(({ audience, expirationSeconds }, i) => {
    const at = path.index(i)
    if (audiences.has(audience)) {
      errors.duplicate(at.child('audience'), audience)
      return
    }
    audiences.add(audience)
    if (expirationSeconds === undefined) return
    if (expirationSeconds < minTokenSeconds)
      errors.invalid(at.child('expirationSeconds'), expirationSeconds, 'may not specify a duration less than 10 minutes')
    if (expirationSeconds > maxTokenSeconds)
      errors.invalid(at.child('expirationSeconds'), expirationSeconds, 'may not specify a duration larger than 2^32 seconds')
  })
}
