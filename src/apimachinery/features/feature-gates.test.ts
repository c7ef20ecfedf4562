import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FeatureGates } from './feature-gates.js'
import { parseFeatureGates } from './parse-gates.js'

const problem = (settings: Record<string, boolean>) => {
  try {
    new FeatureGates(settings)
    return ''
  } catch (error) {
    return (error as Error).message.replace('--feature-gates: ', '')
  }
}

describe('feature gates', () => {
  it('have the defaults of Kubernetes 1.37', () => {
    assert.equal(new FeatureGates().enabled('GenericWorkload'), false)
    assert.equal(new FeatureGates({ GenericWorkload: true }).enabled('GenericWorkload'), true)
  })

  it('have the stages and defaults of the emulated release', () => {
    const emulated = { emulated: 34, minCompatibility: 33 }
    assert.equal(new FeatureGates({}, emulated).all().find(({ name }) => name === 'WatchListClient')?.on, false)
    assert.throws(() => new FeatureGates({ AtomicFIFO: true }, emulated), {
      message:
        '--feature-gates: cannot set feature gate AtomicFIFO to true, feature is PreAlpha at emulated version 1.34, min compatibility version 1.33'
    })
    assert.equal(new FeatureGates({ MutatingAdmissionPolicy: true }, emulated).all().length > 100, true)
  })

  it('are set by stage, and one by one beyond that', () => {
    const gates = new FeatureGates({ AllBeta: true, CoordinatedLeaderElection: false })
    assert.equal(gates.enabled('GenericWorkload'), true)
    assert.equal(gates.enabled('CoordinatedLeaderElection'), false)
    assert.equal(new FeatureGates({ AllAlpha: true, GenericWorkload: true }).enabled('CoordinatedLeaderElection'), false)
  })

  it("are refused in kube-apiserver's words", () => {
    assert.equal(problem({ Foo: true, DynamicResourceAllocation: false }), 'unrecognized feature gate: Foo')
    assert.equal(problem({ ['__proto__']: true }), 'unrecognized feature gate: __proto__')
    assert.equal(
      problem({ DynamicResourceAllocation: false }),
      'cannot set feature gate DynamicResourceAllocation to false, feature is locked to true'
    )
    assert.equal(
      problem({ CompositePodGroup: true }),
      'CompositePodGroup is enabled, but depends on features that are disabled: [GenericWorkload TopologyAwareWorkloadScheduling]'
    )
    assert.equal(
      problem({ StorageVersionAPI: true, APIServerIdentity: false }),
      '[StorageVersionAPI is enabled, but depends on features that are disabled: [APIServerIdentity], UnknownVersionInteroperabilityProxy is enabled, but depends on features that are disabled: [APIServerIdentity]]'
    )
  })

  it('are named in the log once where they change nothing', () => {
    const lines: string[] = []
    const settings = {
      GenericWorkload: true,
      TopologyManagerPolicyBetaOptions: false,
      APIServerIdentity: true,
      ClusterTrustBundle: true
    }
    new FeatureGates(settings).report(settings, { info() {}, warn: line => void lines.push(line), error() {} })
    assert.deepEqual(lines, [
      '--feature-gates: without effect here: TopologyManagerPolicyBetaOptions=false',
      '--feature-gates: ClusterTrustBundle=true sets a GA feature gate, which will be removed in a future release'
    ])
  })
})

describe('the metric of feature gates', () => {
  it('shows what is in effect', () => {
    const all = new FeatureGates({ GenericWorkload: true, TopologyManagerPolicyBetaOptions: false }).all()
    const of = (name: string) => all.find(gate => gate.name === name)
    assert.deepEqual(of('GenericWorkload'), { name: 'GenericWorkload', stage: 'BETA', on: true })
    assert.deepEqual(of('TopologyManagerPolicyBetaOptions'), {
      name: 'TopologyManagerPolicyBetaOptions',
      stage: 'BETA',
      on: true
    })
    assert.equal(of('CoordinatedLeaderElection')?.on, false)
  })
})

describe('the flag --feature-gates', () => {
  it('reads gates with or without their component', () => {
    assert.deepEqual(parseFeatureGates(['A=true, B = 0', '', 'C=T']), { A: true, B: false, C: true })
    assert.deepEqual(parseFeatureGates(['kube:A=true,kube: B=f']), { A: true, B: false })
  })

  for (const [text, message] of [
    ['A', 'missing bool value for A'],
    ['A=maybe', 'invalid value of A=maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax'],
    ['wardle:A=true', 'component not registered: wardle'],
    ['kube:A=true,B=true', 'set kube feature gates with default empty prefix or kube: prefix consistently, do not mix use']
  ] as const)
    it(`refuses ${text}`, () => assert.throws(() => parseFeatureGates([text]), { message: `--feature-gates: ${message}` }))
})
