import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { FeatureGates } from '../../apimachinery/features/feature-gates.js'
import { type LineSink, type LogOptions, openLog } from './log.js'

let lines: string[]
const sink: LineSink = (severity, line) => void lines.push(severity + line)
const open = (options: LogOptions, gates = {}) => openLog(options, new FeatureGates(gates), sink)

beforeEach(() => {
  lines = []
})

describe('the log', () => {
  it('has warnings and errors alone by default', async () => {
    const log = await open({})
    log.info('a')
    log.warn('b')
    log.error('c')
    assert.equal(log.v?.(0), undefined)
    assert.deepEqual(
      lines.map(line => line[0]),
      ['W', 'E']
    )
  })

  it('has lines up to its verbosity', async () => {
    const log = await open({ v: 2 })
    log.info('zero')
    log.v?.(2)?.info('two')
    log.v?.(3)?.info('three')
    assert.deepEqual(
      lines.map(line => line.trim().split('] ')[1]),
      ['zero', 'two']
    )
  })

  it('is JSON on demand, with the fields of kube-apiserver', async () => {
    const log = await open({ v: 3, loggingFormat: 'json' })
    log.v?.(3)?.info('HTTP', { verb: 'GET', resp: 200 })
    log.error('failed', { err: new Error('why') })
    const [{ ts, ...first }, { ts: _, ...second }] = lines.map(line => JSON.parse(line.slice(1)))
    assert.ok(Math.abs(ts - Date.now()) < 60_000)
    assert.deepEqual(first, { caller: 'binnacle', v: 3, verb: 'GET', resp: 200, msg: 'HTTP' })
    assert.deepEqual(second, { caller: 'binnacle', err: 'why', msg: 'failed' })
    assert.deepEqual(
      lines.map(line => line[0]),
      ['I', 'E']
    )
  })

  it('refuses what the feature gates do not allow', async () => {
    await assert.rejects(open({ loggingFormat: 'xml' }), { message: 'format: Invalid value: "xml": Unsupported log format' })
    await assert.rejects(open({ loggingFormat: 'json' }, { LoggingBetaOptions: false }), {
      message: 'format: Forbidden: Log format json is disabled, see LoggingBetaOptions feature'
    })
    await assert.rejects(open({ logTextSplitStream: true }), {
      message: 'options.text.splitStream: Forbidden: Feature LoggingAlphaOptions is disabled'
    })
    await assert.rejects(open({ loggingFormat: 'json', logJsonSplitStream: true }), {
      message: 'options.json.splitStream: Forbidden: Feature LoggingAlphaOptions is disabled'
    })
    await open({ loggingFormat: 'json', logJsonSplitStream: true }, { LoggingAlphaOptions: true })
    await open({ logTextSplitStream: true }, { LoggingAlphaOptions: true })
  })
})
