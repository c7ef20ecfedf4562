import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { kubernetesMinor } from '../../util/kubernetes-version.js'
import { UserError } from '../../util/user-error.js'
import { type MetricSettings, metricOptions } from './metric-options.js'

const folder = mkdtempSync(join(tmpdir(), 'metric-options-'))
after(() => rmSync(folder, { recursive: true }))

function manifest(text: string): string {
  const path = join(folder, String(Math.random()))
  writeFileSync(path, text)
  return path
}

describe('options of metrics', () => {
  it('are refused in the words of kube-apiserver', () => {
    const cases: [MetricSettings, RegExp][] = [
      [
        { showHiddenMetricsForVersion: '1.34' },
        new RegExp(
          `^metrics\\.showHiddenMetricsForVersion: Invalid value: "1\\.34": must be omitted or have the value '1\\.${kubernetesMinor - 1}'; only`
        )
      ],
      [{ disabledMetrics: ['ok', 'a-b'] }, /^metrics\.disabledMetrics: Invalid value: \["ok","a-b"\]: .*, got "a-b"$/],
      [{ allowMetricLabels: { foo: 'bar' } }, /^metrics\.allowListMapping: Invalid value: \{"foo":"bar"\}: must have keys/],
      [{ allowMetricLabelsManifest: '/nope' }, /"\/nope": failed to read allow list manifest: open \/nope: no such file/],
      [{ allowMetricLabels: { 'm,l': 'x' }, allowMetricLabelsManifest: manifest('') }, /cannot specify both/],
      [{ allowMetricLabelsManifest: manifest('m: x') }, /invalid allow list mapping in manifest/],
      [{ allowMetricLabelsManifest: manifest('"m,l": {}') }, /failed to parse allow list manifest/]
    ]
    for (const [settings, message] of cases)
      assert.throws(
        () => metricOptions(settings),
        (error: Error) => error instanceof UserError && message.test(error.message),
        JSON.stringify(settings)
      )
  })

  it('say which values a label may have', () => {
    const expected = new Map([['m', new Map([['l', new Set(['x', 'y'])]])]])
    assert.deepEqual(metricOptions({ allowMetricLabels: { 'm,l': 'x,y' } }).allowed, expected)
    assert.deepEqual(metricOptions({ allowMetricLabelsManifest: manifest('"m,l": x,y') }).allowed, expected)
  })
})
