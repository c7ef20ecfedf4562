import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FeatureGates } from '../../apimachinery/features/feature-gates.js'
import { RowClock } from '../../apimachinery/formats/table.js'
import { FieldErrors } from '../../apimachinery/validation/field.js'
import { horizontalPodAutoscaler as kind } from './horizontal-pod-autoscaler.js'
import { fromV1, toV1 } from './hpa-conversion.js'

const context: any = new RowClock(0)
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }
const v2 = (spec: any = {}, status: any = {}): any => ({
  metadata: { name: 'h' },
  spec: { scaleTargetRef, maxReplicas: 3, ...spec },
  status: { desiredReplicas: 0, currentMetrics: null, ...status }
})
const cpu = (averageUtilization: number) => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } }
})
const memory = { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } } }
const key = (name: string) => `autoscaling.alpha.kubernetes.io/${name}`

function problems(object: any, gates: Record<string, boolean> = {}): string[] {
  const errors = new FieldErrors()
  const services = { features: new FeatureGates(gates) }
  kind.strategy!.validateCreate!(object, errors, { services } as any)
  return errors.list.map(e => `${e.field}: ${e.message}`)
}

describe('HorizontalPodAutoscaler', () => {
  it('drops the annotations of v1 from v2', () => {
    const o = v2()
    o.metadata.annotations = { [key('metrics')]: '[]', mine: 'x' }
    kind.strategy!.default!(o, context)
    assert.deepEqual(o.metadata.annotations, { mine: 'x' })
  })

  it('defaults to a metric of 80% CPU', () => {
    const object = v2()
    kind.strategy!.default!(object, context)
    assert.equal(object.spec.minReplicas, 1)
    assert.deepEqual(object.spec.metrics, [cpu(80)])
    assert.equal(toV1(object).spec.targetCPUUtilizationPercentage, 80)
  })

  it('sets defaults for the missing half of behavior', () => {
    const object = v2({ behavior: { scaleDown: { selectPolicy: 'Disabled' } } })
    kind.strategy!.default!(object, context)
    assert.equal(object.spec.behavior.scaleUp.stabilizationWindowSeconds, 0)
    assert.deepEqual(object.spec.behavior.scaleDown, {
      selectPolicy: 'Disabled',
      policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }]
    })
  })

  it('has no defaults for the policies of an annotation of v1', () => {
    const text = JSON.stringify({ scaleUp: { stabilizationWindowSeconds: 5 }, ScaleDown: { Policies: null } })
    const written = (version: string) => {
      const object = fromV1({ ...toV1(v2()), metadata: { name: 'a', annotations: { [key('behavior')]: text } } })
      kind.strategy!.default!(object, { now: 0, version })
      return problems(object)
    }
    assert.deepEqual(written('v1'), [
      'spec.behavior.scaleUp.policies: Required value: must specify at least one Policy',
      'spec.behavior.scaleDown.policies: Required value: must specify at least one Policy'
    ])
    // an apply in v2 may compare in v1
    assert.deepEqual(written('v2'), [])
  })

  it('converts fields that v1 lacks to annotations, and back', () => {
    const behavior = { scaleUp: { selectPolicy: 'Min', policies: [{ type: 'Pods', value: 1, periodSeconds: 2 }] } }
    const conditions = [{ type: 'AbleToScale', status: 'True', lastTransitionTime: '2024-01-02T03:04:05Z', reason: 'r' }]
    const currentMetrics = [
      { type: 'Resource', resource: { name: 'cpu', current: { averageValue: '110m', averageUtilization: 55 } } }
    ]
    const object = v2(
      { minReplicas: 2, metrics: [memory, cpu(65)], behavior },
      { desiredReplicas: 4, currentMetrics, conditions }
    )
    const v1 = toV1(structuredClone(object))
    assert.equal(v1.spec.targetCPUUtilizationPercentage, 65)
    assert.equal(v1.status.currentCPUUtilizationPercentage, 55)
    assert.equal(
      v1.metadata.annotations![key('metrics')],
      '[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"1Gi"}}]'
    )
    assert.deepEqual(
      Object.keys(v1.metadata.annotations!).sort(),
      ['behavior', 'conditions', 'current-metrics', 'metrics'].map(key)
    )
    const { kind: _, apiVersion: __, ...back } = fromV1(v1)
    assert.deepEqual(back, object)
  })

  it('has the target of v1 in the first metric of CPU utilization, not in one of an average value', () => {
    const byValue = { type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '31' } } }
    const object = v2({ metrics: [byValue, cpu(65), cpu(70)] })
    assert.equal(toV1(object).spec.targetCPUUtilizationPercentage, 65)
    assert.equal(toV1(v2({ metrics: [byValue] })).spec.targetCPUUtilizationPercentage, undefined)
  })

  it('ignores annotations that cannot be parsed', () => {
    const utilization = ['1.0', '1.5', '"1"', '99999999999', 'true', '1e400', '{}'].map(
      number => `[{"type":"Resource","resource":{"name":"cpu","targetAverageUtilization":${number}}}]`
    )
    for (const text of ['{', '{}', '[1]', '[{"type":"Pods","pods":{"targetAverageValue":"x"}}]', 'null', ...utilization]) {
      const v1: any = {
        metadata: { annotations: { [key('metrics')]: text, other: 'stays' } },
        spec: { scaleTargetRef, maxReplicas: 1 },
        status: { currentReplicas: 0, desiredReplicas: 0 }
      }
      const object = fromV1(v1)
      assert.deepEqual(object.spec.metrics, [cpu(80)], text)
      assert.deepEqual(object.metadata.annotations, { other: 'stays' })
    }
  })

  it('drops the fields of v2 when a client of v1 removes the annotation', () => {
    const v1 = toV1(v2({ metrics: [memory] }))
    delete v1.metadata.annotations
    assert.deepEqual(fromV1(v1).spec.metrics, [cpu(80)])
  })

  it('may scale to zero by an external metric, where the gate is on', () => {
    const external = { type: 'External', external: { metric: { name: 'm' }, target: { type: 'Value', value: '1' } } }
    const idle = v2({ minReplicas: 0, metrics: [external] })
    const off = { HPAScaleToZero: false }
    assert.deepEqual(problems(idle, off), ['spec.minReplicas: Invalid value: 0: must be greater than or equal to 1'])
    assert.deepEqual(problems(idle), [])
  })

  it('requires a minimum below the maximum, and complete metrics', () => {
    assert.deepEqual(problems(v2({ minReplicas: 5, maxReplicas: 3 })), [
      'spec.maxReplicas: Invalid value: 3: must be greater than or equal to `minReplicas`'
    ])
    assert.deepEqual(problems(v2({ metrics: [{ type: 'Pods' }] })), [
      'spec.metrics[0].pods: Required value: must populate information for the given metric source'
    ])
    assert.deepEqual(problems(v2({ behavior: { scaleUp: { policies: [] } } })), [
      'spec.behavior.scaleUp.policies: Required value: must specify at least one Policy'
    ])
  })

  it('shows current and target values in its Table', () => {
    const targets = kind.table!.columns!.find(c => c.name === 'Targets')!
    const status = { currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 50 } } }] }
    assert.equal(
      targets.value(v2({ metrics: [cpu(80), memory, cpu(1)] }, status), context),
      'cpu: 50%/80%, memory: <unknown>/1Gi + 1 more...'
    )
  })

  it('refers to a kind with a group or a ReplicationController; an old reference may lack the group', () => {
    const object = (kindName: string, apiVersion?: string) =>
      v2({ scaleTargetRef: { kind: kindName, name: 'n', ...(apiVersion !== undefined && { apiVersion }) } })
    const lacks = (apiVersion: string) => [
      `spec.scaleTargetRef.apiVersion: Invalid value: "${apiVersion}": apiVersion must specify API group`
    ]
    assert.deepEqual(problems(object('Deployment', 'apps/v1')), [])
    assert.deepEqual(problems(object('ReplicationController', 'v1')), [])
    assert.deepEqual(problems(object('Deployment')), lacks(''))
    assert.deepEqual(problems(object('Deployment', '/v1')), lacks('/v1'))
    const errors = new FieldErrors()
    kind.strategy!.validateUpdate!(object('Deployment'), object('Deployment'), errors, {
      services: { features: new FeatureGates() }
    } as any)
    assert.deepEqual(errors.list, [])
  })
})
