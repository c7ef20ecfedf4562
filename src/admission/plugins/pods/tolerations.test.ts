import assert from 'node:assert/strict'
import { it } from 'node:test'
import { areListed, mergeTolerations } from './tolerations.js'

const exists = (key: string, effect?: string, tolerationSeconds?: number) => ({
  key,
  operator: 'Exists',
  effect,
  tolerationSeconds
})
const equal = (key: string, value: string, effect?: string) => ({ key, operator: 'Equal', value, effect })

it('a toleration that another covers is left out, wherever it stands', () => {
  const merged = (...[first, second]: any[][]) => mergeTolerations(first!, second!)
  assert.deepEqual(merged([equal('k', 'v')], [exists('k')]), [exists('k')])
  assert.deepEqual(merged([exists('k')], [equal('k', 'v'), exists('k', 'NoExecute', 5)]), [exists('k')])
  assert.deepEqual(merged([exists('k')], [exists('k')]), [exists('k')])
  assert.deepEqual(merged([equal('k', 'v')], [{ operator: 'Exists' }]), [{ operator: 'Exists' }])
  const [short, long] = [exists('k', 'NoExecute', 5), exists('k', 'NoExecute', 7)]
  assert.deepEqual(merged([short], [long]), [long])
  assert.deepEqual(merged([long], [short]), [long])
  assert.deepEqual(merged([long], [exists('k', 'NoExecute')]), [exists('k', 'NoExecute')])
  const others = [equal('k', 'v'), equal('k', 'w'), { key: 'k', value: 'u' }, exists('j', 'NoSchedule')]
  assert.deepEqual(merged(others, []), others)
})

it('a whitelist has to cover each', () => {
  assert.equal(areListed([equal('k', 'v')], [exists('k')]), true)
  assert.equal(areListed([equal('k', 'v'), exists('j')], [exists('k')]), false)
  assert.equal(areListed([exists('k')], [equal('k', 'v')]), false)
  // an equal one with all effects, also without operator, which stands for Equal in the whitelist only
  assert.equal(areListed([equal('k', 'v', 'NoExecute')], [equal('k', 'v')]), true)
  assert.equal(areListed([equal('k', 'v', 'NoExecute')], [{ key: 'k', value: 'v' }]), true)
  assert.equal(areListed([equal('k', 'v', 'NoExecute')], [equal('k', 'w')]), false)
  assert.equal(areListed([{ key: 'k', value: 'v', effect: 'NoExecute' }], [equal('k', 'v')]), false)
  assert.equal(areListed([{ key: 'k', operator: 'Lt', value: '1', effect: 'NoExecute' }], [equal('k', '1')]), false)
  // seconds limit only the effect NoExecute
  assert.equal(areListed([exists('k', 'NoExecute', 7)], [exists('k', undefined, 5)]), true)
  assert.equal(areListed([exists('k', 'NoExecute', 7)], [exists('k', 'NoExecute', 5)]), false)
  assert.equal(areListed([{ key: 'k', operator: 'Lt', value: '1' }], [{ key: 'k', operator: 'Lt', value: '1' }]), true)
})

it('takes time in proportion to their number', () => {
  const many = (n: number) => Array.from({ length: n }, (_, i) => exists('k', 'NoExecute', i))
  const began = performance.now()
  assert.equal(mergeTolerations(many(50_000), []).length, 1)
  assert.ok(performance.now() - began < 20_000)
})
