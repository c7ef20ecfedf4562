import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Pod, PodSpec } from '../../../apimachinery/api/generated/core-v1.js'
import { FeatureGates } from '../../../apimachinery/features/feature-gates.js'
import { decode } from '../../../apimachinery/schema/decode.js'
import { loadSchema } from '../../../apimachinery/schema/load.js'
import { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { defaultPullPolicy } from '../container/image-name.js'
import { validateContainerResources } from '../container/resources.js'
import { specChanges } from '../spec-changes.js'
import { validatePodAnnotations } from './annotations-validation.js'
import { defaultPod } from './defaults.js'
import { validateResize } from './resize-validation.js'
import { validatePodSpec } from './spec-validation.js'

const pod = (spec: object): Pod => {
  const { object } = decode(loadSchema().type('core.v1.Pod'), { metadata: { name: 'p' }, spec })
  defaultPod(object, { now: 0 })
  return object
}
const container = (more: object = {}) => ({ name: 'c', image: 'i', ...more })
const found = (look: (errors: FieldErrors) => void, gates?: FeatureGates): string[] => {
  const errors = new FieldErrors(gates)
  look(errors)
  return errors.list.map(({ field, message }) => `${field}: ${message}`)
}

describe('rules of Pods', () => {
  it('refuse each claim of a static Pod, whatever it says', () => {
    const claims = { containers: [container()], resourceClaims: [{ name: 'a' }, { name: 'a' }] }
    const mirror = pod(claims)
    mirror.metadata.annotations = { 'kubernetes.io/config.mirror': 'x' }
    const findings = (owner?: Pod) => found(errors => validatePodSpec(mirror.spec, Path.of('spec'), errors, owner))
    const refused = '[]: Forbidden: static pods do not support resource claims'
    assert.deepEqual(findings(mirror), [refused, refused])
    assert.equal(findings().length, 3)
  })

  it('find what is wrong with a security context in the order of kube-apiserver', () => {
    const findings = (spec: object) =>
      found(errors => validatePodSpec(pod({ containers: [container()], ...spec }).spec, Path.of('spec'), errors))
    const fields = (spec: object) => findings(spec).map(text => text.split(':')[0])
    assert.deepEqual(fields({ securityContext: { seLinuxChangePolicy: 'Odd', supplementalGroupsPolicy: 'Odd' } }), [
      'spec.securityContext.supplementalGroupsPolicy',
      'spec.securityContext.seLinuxChangePolicy'
    ])
    const shared = { shareProcessNamespace: true, securityContext: { runAsUser: 1, sysctls: [{ name: 'a', value: 'b' }] } }
    assert.deepEqual(fields({ os: { name: 'windows' }, ...shared }), [
      'spec.securityContext.sysctls',
      'spec.securityContext.runAsUser',
      'spec.shareProcessNamespace'
    ])
    assert.deepEqual(findings({ securityContext: { windowsOptions: { runAsUserName: 'a\0' } } }), [
      'spec.securityContext.windowsOptions.runAsUserName: Invalid value: "a\\u0000": runAsUserName cannot contain control characters'
    ])
  })

  it('relabel volumes by mounting only with a gate, or where they did', () => {
    const policy = (seLinuxChangePolicy: string) =>
      pod({ containers: [container()], securityContext: { seLinuxChangePolicy } }).spec
    const without = new FeatureGates({ SELinuxMount: false })
    const findings = (spec: PodSpec, old?: PodSpec) =>
      found(errors => validatePodSpec(spec, Path.of('spec'), errors, undefined, old), without)
    assert.deepEqual(findings(policy('MountOption')), [
      'spec.securityContext.seLinuxChangePolicy: Unsupported value: "MountOption": supported values: "Recursive"'
    ])
    assert.deepEqual(findings(policy('Recursive')), [])
    assert.deepEqual(findings(policy('MountOption'), policy('Recursive')), [])
  })

  it('validate tolerations in their old annotation', () => {
    const key = 'scheduler.alpha.kubernetes.io/tolerations'
    const findings = (text: string) => {
      const { spec } = pod({ containers: [container()] })
      return found(errors =>
        validatePodAnnotations({ metadata: { annotations: { [key]: text } }, spec }, Path.of('annotations'), errors)
      )
    }
    assert.deepEqual(findings('odd'), [
      `annotations: Invalid value: "${key}": invalid character 'o' looking for beginning of value`
    ])
    assert.deepEqual(findings('-1'), [
      `annotations: Invalid value: "${key}": json: cannot unmarshal number into Go value of type []core.Toleration`
    ])
    assert.deepEqual(findings('[1]'), [
      `annotations: Invalid value: "${key}": json: cannot unmarshal number into Go value of type core.Toleration`
    ])
    const field = (name: string, type: string) => `into Go struct field Toleration.${name} of type ${type}`
    for (const [text, why] of [
      ['[{"key":5}]', `number ${field('Key', 'string')}`],
      ['[{"KEY":[]}]', `array ${field('Key', 'string')}`],
      ['[{"key":"a","operator":true}]', `bool ${field('Operator', 'core.TolerationOperator')}`],
      ['[{"key":"a"},{"effect":{}},7]', `object ${field('Effect', 'core.TaintEffect')}`],
      ['[7,{"key":3}]', 'number into Go value of type core.Toleration'],
      ['[{"tolerationSeconds":"x"}]', `string ${field('TolerationSeconds', 'int64')}`],
      ['[{"tolerationSeconds":1.5}]', `number 1.5 ${field('TolerationSeconds', 'int64')}`],
      ['[{"tolerationSeconds":1e3}]', `number 1e3 ${field('TolerationSeconds', 'int64')}`]
    ])
      assert.deepEqual(findings(text!), [`annotations: Invalid value: "${key}": json: cannot unmarshal ${why}`])
    assert.deepEqual(findings('[{"KEY":"a b","operator":"Exists"},null]').length, 2)
    assert.deepEqual(findings('[{"key":"a","operator":"Exists"}]'), [])
  })

  it('set the pull policy of an invalid image as for one with a tag', () => {
    assert.equal(defaultPullPolicy('registry:5000/a/b'), 'Always')
    assert.equal(defaultPullPolicy('A/B'), 'IfNotPresent')
    assert.equal(defaultPullPolicy(`a@sha256:${'0'.repeat(64)}`), 'IfNotPresent')
    assert.equal(defaultPullPolicy('a@sha256:00'), 'IfNotPresent')
  })

  it('round amounts up to thousandths, and set the requests of a whole Pod from its containers', () => {
    const { spec } = pod({
      resources: { limits: { cpu: '2' } },
      containers: [container({ resources: { requests: { cpu: '100u', memory: '1Mi' } } })]
    })
    assert.deepEqual(spec.resources, { limits: { cpu: '2' }, requests: { cpu: '1m', memory: '1Mi' } })
  })

  it('require whole huge pages', () => {
    const limits = { 'hugepages-2Mi': '3Mi', memory: '1Gi' }
    const path = Path.of('resources')
    assert.deepEqual(
      found(errors => validateContainerResources({ limits, requests: limits }, [], path, errors)),
      [
        'resources.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
        'resources.requests[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi'
      ]
    )
  })

  it('let a resize change cpu and memory, but not remove them', () => {
    const old = pod({ containers: [container({ resources: { requests: { cpu: '1', memory: '1Mi' } } })] })
    const now = pod({ containers: [container({ resources: { requests: { cpu: '2' } } })] })
    assert.deepEqual(
      found(errors => validateResize(now, old, errors)),
      ['spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed']
    )
  })

  it('print changes of a spec in the internal form of kube-apiserver', () => {
    const old = pod({ containers: [container()] }).spec
    const changes = specChanges('core.v1.PodSpec', old, { ...old, hostPID: true })
    assert.match(changes, / {2}"HostNetwork": false,\n- "HostPID": false,\n\+ "HostPID": true,\n/)
  })
})
