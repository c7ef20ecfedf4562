import assert from 'node:assert/strict'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { CachedBundle, codeCacheFolder, identityFile } from './code-cache.js'

let directory: string
let bundle: string
let cache: string
before(() => {
  directory = mkdtempSync(join(tmpdir(), 'binnacle-code-'))
  bundle = join(directory, 'bundle')
  cache = join(directory, 'cache', 'code')
  mkdirSync(bundle)
})
after(() => rmSync(directory, { recursive: true }))

let build = 0
/** Each change is another build. */
function write(name: string, text: string): void {
  writeFileSync(join(bundle, name), text)
  writeFileSync(join(bundle, identityFile), `build${++build}`)
}
const times = () => readdirSync(cache).map(file => statSync(join(cache, file)).mtimeMs)

const loaded = (name = 'a.cjs') => {
  const code = new CachedBundle(bundle, cache)
  const exported = code.load(name) as Record<string, unknown>
  code.keep()
  return exported
}

describe('the code cache', () => {
  it('runs modules once each, with what they require', () => {
    write('b.cjs', `exports.count = (globalThis.binnacleCount = (globalThis.binnacleCount ?? 0) + 1)`)
    write(
      'a.cjs',
      `const b = require('./b.cjs'); exports.same = b === require('./b.cjs'); exports.count = b.count
       exports.join = require('node:path').join; exports.here = __filename`
    )
    const a = loaded()
    assert.deepEqual([a.same, a.count, a.join, a.here], [true, 1, join, join(bundle, 'a.cjs')])
  })

  it('keeps the compiled code, and uses it', () => {
    const [file] = readdirSync(cache)
    const { mtimeMs } = statSync(join(cache, file!))
    assert.equal(loaded().count, 2)
    assert.deepEqual(readdirSync(cache), [file])
    assert.equal(statSync(join(cache, file!)).mtimeMs, mtimeMs, 'nothing was compiled, so nothing is written')
  })

  it('is kept once a start has had its time, under the flags of V8 under which it is used', t => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    write('e.cjs', 'exports.value = 1')
    const flag = (percent: number) => setFlagsFromString(`--heap-growing-percent=${percent}`)
    const underUsualFlags = <T>(run: () => T): T => {
      flag(0)
      const result = run()
      flag(60)
      return result
    }
    try {
      const code = new CachedBundle(bundle, cache, underUsualFlags)
      code.load('e.cjs')
      const before = readdirSync(cache).length
      code.keepLater()
      t.mock.timers.tick(2999)
      assert.equal(readdirSync(cache).length, before)
      t.mock.timers.tick(1)
      assert.equal(readdirSync(cache).length, before + 1)
      writeFileSync(join(bundle, 'late.cjs'), 'exports.value = 1')
      code.load('late.cjs')
      code.keep()
      assert.equal(readdirSync(cache).length, before + 1, 'what is loaded later is not kept')
      flag(0)
      const again = new CachedBundle(bundle, cache, underUsualFlags)
      again.load('e.cjs')
      const written = times()
      again.keep()
      assert.deepEqual(times(), written, 'nothing was compiled')
    } finally {
      flag(0)
    }
  })

  it('is of one installation, whose files stack traces name', () => {
    write('t.cjs', 'exports.trace = () => new Error().stack')
    loaded('t.cjs')
    const copy = join(directory, 'another installation')
    cpSync(bundle, copy, { recursive: true })
    const code = new CachedBundle(copy, cache)
    const { trace } = code.load('t.cjs') as { trace(): string }
    assert.ok(trace().includes(join(copy, 't.cjs')) && !trace().includes(join(bundle, 't.cjs')), trace())
  })

  it('compiles again after a change of the same length', () => {
    write('c.cjs', 'exports.value = 1')
    assert.equal(loaded('c.cjs').value, 1)
    write('c.cjs', 'exports.value = 2')
    assert.equal(loaded('c.cjs').value, 2)
  })

  it('does not use a file that others may have written', { skip: process.platform === 'win32' }, () => {
    write('d.cjs', 'exports.value = 1')
    loaded('d.cjs')
    const files = readdirSync(cache).map(file => join(cache, file))
    const times = () => files.map(file => statSync(file).mtimeMs)
    for (const file of files) {
      utimesSync(file, 1, 1)
      chmodSync(file, 0o622)
    }
    loaded('d.cjs')
    assert.equal(times().filter(time => time > 1000).length, 1, 'it was compiled and written again')
  })

  it('survives a broken cache, and a folder that cannot be written', () => {
    for (const file of readdirSync(cache)) writeFileSync(join(cache, file), '\xff\xff\xff\xff')
    assert.equal(loaded('c.cjs').value, 2)
    const code = new CachedBundle(bundle, join(bundle, 'c.cjs', 'no folder'))
    assert.equal((code.load('c.cjs') as { value: number }).value, 2)
    code.keep()
  })

  it('keeps few files', () => {
    for (let round = 0; round < 20; round++) {
      write('c.cjs', `exports.value = ${'0'.repeat(round)}.5`.replace(/0+\./, '0.'))
      loaded('c.cjs')
    }
    assert.equal(readdirSync(cache).length, 8)
  })

  it('is off where Node is told to keep none', () => {
    assert.equal(codeCacheFolder({ NODE_DISABLE_COMPILE_CACHE: '1' }), undefined)
    assert.match(
      codeCacheFolder({ XDG_CACHE_HOME: '/cache' })!,
      process.platform === 'linux' ? /^\/cache\/binnacle\/code$/ : /code$/
    )
  })
})
