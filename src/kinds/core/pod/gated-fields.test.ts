import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { effectiveVersion } from '../../../apimachinery/features/effective-version.js'
import { FeatureGates } from '../../../apimachinery/features/feature-gates.js'
import { dropGatedFields } from '../../../registry/gated-fields.js'
import { podGatedFields, templateGatedFields } from './gated-fields.js'

const before = new FeatureGates({ PodLevelResources: false }, effectiveVersion(['1.34']))

function dropped(spec: object, features = new FeatureGates(), old?: object): any {
  const pod = structuredClone({ spec })
  dropGatedFields({ gatedFields: podGatedFields }, features, pod, old && { spec: old })
  return pod.spec
}

describe('the gated fields of Pods', () => {
  it('are those of the emulated release', () => {
    const spec = { hostnameOverride: 'h', resources: {}, hostUsers: false, resourceClaims: [{ name: 'c' }], containers: [] }
    assert.deepEqual(dropped(spec), spec)
    assert.deepEqual(dropped(spec, before), { hostUsers: false, resourceClaims: [{ name: 'c' }], containers: [] })
    assert.deepEqual(dropped(spec, before, { hostnameOverride: 'x', resources: {} }), spec)
  })

  it('lose volumes of images with their mounts', () => {
    const spec = {
      volumes: [
        { name: 'i', image: {} },
        { name: 'e', emptyDir: {} }
      ],
      containers: [{ volumeMounts: [{ name: 'i' }, { name: 'e' }] }, { volumeMounts: [{ name: 'i' }] }]
    }
    assert.deepEqual(dropped(spec, before), {
      volumes: [{ name: 'e', emptyDir: {} }],
      containers: [{ volumeMounts: [{ name: 'e' }] }, {}]
    })
  })

  it('keep sidecars without rules for restarts', () => {
    const spec = {
      initContainers: [{ restartPolicy: 'Always', restartPolicyRules: [] }, { restartPolicy: 'Never' }],
      containers: [{ restartPolicy: 'Always' }]
    }
    assert.deepEqual(dropped(spec, before), { initContainers: [{ restartPolicy: 'Always' }, {}], containers: [{}] })
  })

  it('have the default procMount instead of none', () => {
    const gates = new FeatureGates({ ProcMountType: false }, effectiveVersion(['1.35']))
    const spec = { containers: [{ securityContext: { procMount: 'Unmasked' } }] }
    assert.deepEqual(dropped(spec, gates), { containers: [{ securityContext: { procMount: 'Default' } }] })
  })

  it('are found in templates', () => {
    const job = { spec: { template: { spec: { schedulingGroup: {}, containers: [{ lifecycle: { stopSignal: 'SIGTERM' } }] } } } }
    dropGatedFields({ gatedFields: templateGatedFields('spec.template.spec') }, new FeatureGates(), job)
    assert.deepEqual(job, { spec: { template: { spec: { containers: [{}] } } } })
  })
})
