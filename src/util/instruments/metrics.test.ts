import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { kubernetesMinor } from '../kubernetes-version.js'
import { goNumber } from './go-number.js'
import { exponentialBuckets, Metrics, showsAll } from './metrics.js'

const linesOf = async (metrics: Metrics, name: string) =>
  (await metrics.text()).split('\n').filter(line => line.includes(name) && !line.startsWith('registered'))

describe('metrics', () => {
  it('write numbers as Go does', () => {
    const numbers = {
      0: 0,
      5: 5,
      '0.005': 0.005,
      '1e+06': 1e6,
      '1.44e-05': 0.0000144,
      '249856': 249856,
      '2.208690176e+09': 2208690176
    }
    for (const [text, number] of Object.entries(numbers)) assert.equal(goNumber(number), text)
    assert.equal(goNumber(1234567.5), '1.2345675e+06')
    assert.equal(goNumber(Number.POSITIVE_INFINITY), '+Inf')
    assert.deepEqual(exponentialBuckets(1000, 10, 4).map(goNumber), ['1000', '10000', '100000', '1e+06'])
  })

  it('have their stage in the help, and labels in alphabetic order', async () => {
    const metrics = new Metrics()
    metrics
      .counter({ name: 'm_total', help: 'All m.', stage: 'STABLE', labels: ['verb', 'code'] })
      .of('GET "x"', '200')
      .add()
    assert.deepEqual(await linesOf(metrics, 'm_total'), [
      '# HELP m_total [STABLE] All m.',
      '# TYPE m_total counter',
      'm_total{code="200",verb="GET \\"x\\""} 1'
    ])
  })

  it('count what was observed within each limit', async () => {
    const metrics = new Metrics()
    const histogram = metrics.histogram({ name: 'm', help: '', labels: ['a'], buckets: [1, 10] })
    for (const value of [1, 2, 11]) histogram.of('x').observe(value)
    assert.deepEqual(
      (await linesOf(metrics, 'm')).filter(line => line.startsWith('m')),
      [
        'm_bucket{a="x",le="1"} 1',
        'm_bucket{a="x",le="10"} 2',
        'm_bucket{a="x",le="+Inf"} 3',
        'm_sum{a="x"} 14',
        'm_count{a="x"} 3'
      ]
    )
  })

  it('have no more series than they may', async () => {
    const metrics = new Metrics()
    const counter = metrics.counter({ name: 'm', help: '', labels: ['a'] })
    for (let i = 0; i < 6000; i++) counter.of(`v${i}`).add()
    assert.equal(counter.size, 5000)
    counter.of('v0').add()
    assert.ok((await metrics.text()).includes('m{a="v0"} 2\n'))
  })

  it('are hidden when they are deprecated for long, unless they are to be shown', async () => {
    const metrics = (showHidden: boolean) => {
      const all = new Metrics({ ...showsAll, showHidden })
      all.counter({ name: 'alpha', help: 'A.', stage: 'ALPHA', deprecatedSince: `1.${kubernetesMinor}.0` })
      all.counter({ name: 'stable', help: 'S.', stage: 'STABLE', deprecatedSince: `1.${kubernetesMinor - 2}.0` })
      all.counter({ name: 'old', help: 'O.', stage: 'STABLE', deprecatedSince: `1.${kubernetesMinor - 3}.0` })
      return all
    }
    assert.deepEqual(await linesOf(metrics(false), 'alpha'), [])
    assert.deepEqual(await linesOf(metrics(false), 'old'), [])
    assert.deepEqual(await linesOf(metrics(false), 'hidden_metrics_total 2'), ['hidden_metrics_total 2'])
    assert.ok((await linesOf(metrics(true), 'alpha')).includes('alpha 0'))
    assert.ok((await metrics(false).text()).includes(`# HELP stable [STABLE] (Deprecated since 1.${kubernetesMinor - 2}.0) S.`))
  })

  it('are left out when they are disabled', async () => {
    const metrics = new Metrics({ ...showsAll, disabled: new Set(['m', 'n']) })
    metrics.counter({ name: 'm', help: '' }).of().add()
    const text = await metrics.text()
    assert.doesNotMatch(text, /^m /m)
    assert.match(text, /^disabled_metrics_total 2$/m)
  })

  it('have only the allowed values of a label', async () => {
    const allowed = new Map([['m', new Map([['a', new Set(['x'])]])]])
    const metrics = new Metrics({ ...showsAll, allowed })
    const counter = metrics.counter({ name: 'm', help: '', labels: ['a', 'b'] })
    for (const value of ['x', 'y', 'z']) counter.of(value, '1').add()
    const text = await metrics.text()
    assert.match(text, /^m\{a="x",b="1"\} 1\nm\{a="unexpected",b="1"\} 2\n/m)
    assert.match(text, /^cardinality_enforcement_unexpected_categorizations_total 2$/m)
  })
})
