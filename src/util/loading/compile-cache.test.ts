import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import nodeModule from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { compileCacheFolder, useCompileCache } from './compile-cache.js'

const posix = process.platform === 'linux' ? false : 'the folder is that of Linux, and modes are those of POSIX'

describe('the compile cache', { skip: posix }, () => {
  let directory: string
  let installation: string
  let folder: string
  let events: string[]

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'binnacle-compiled-'))
    process.env.XDG_CACHE_HOME = join(directory, 'cache')
    delete process.env.NODE_DISABLE_COMPILE_CACHE
    installation = join(directory, 'installation')
    mkdirSync(installation)
    folder = compileCacheFolder(installation, process.env)!
    events = []
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  const node = {
    enableCompileCache: (given: string) => void events.push(`enabled ${given === folder}`),
    flushCompileCache: () => void events.push('kept')
  }
  const underFlags = (run: () => void) => {
    events.push('usual flags')
    run()
    events.push('own flags')
  }
  const use = () => useCompileCache(installation, underFlags, node)

  it('is in a folder of the installation that nobody else can open', () => {
    use()
    assert.deepEqual(events, ['enabled true'])
    assert.equal(dirname(dirname(folder)), join(directory, 'cache', 'binnacle'))
    assert.equal(statSync(folder).mode & 0o777, 0o700)
    assert.notEqual(compileCacheFolder(join(directory, 'another'), process.env), folder)
  })

  it('is used as it is where it was made before, as in an image that cannot be written to', () => {
    use()
    const owner = join(folder, 'installation')
    utimesSync(owner, 1e9, 1e9)
    events = []
    use()
    assert.deepEqual(events, ['enabled true'])
    assert.equal(statSync(owner).mtimeMs, 1e12)
  })

  it('is not used where others could have written it', () => {
    use()
    for (const [open, mode] of [
      [folder, 0o720],
      [folder, 0o701],
      [dirname(folder), 0o770]
    ] as const) {
      chmodSync(open, mode)
      events = []
      use()
      assert.deepEqual(events, [], `${open} has the mode ${mode.toString(8)}`)
      chmodSync(open, 0o700)
    }
    rmSync(folder, { recursive: true })
    symlinkSync(installation, folder)
    use()
    assert.deepEqual(events, [], 'the folder is a link')
  })

  it('is not used where it cannot be, nor where the environment forbids it', () => {
    useCompileCache(installation, underFlags, {})
    assert.equal(existsSync(folder), false, 'Node 20 has none')
    process.env.NODE_DISABLE_COMPILE_CACHE = '1'
    use()
    delete process.env.NODE_DISABLE_COMPILE_CACHE
    process.env.XDG_CACHE_HOME = join(directory, 'a file')
    writeFileSync(process.env.XDG_CACHE_HOME, '')
    use()
    assert.deepEqual(events, [])
  })

  it('is kept under the usual flags once a start has had its time, and loses the code of installations that are gone', t => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    use()
    const gone = join(directory, 'gone')
    const others = join(directory, 'others')
    mkdirSync(others)
    for (const other of [gone, others]) useCompileCache(other, underFlags, { enableCompileCache() {} })
    events = []
    t.mock.timers.tick(2999)
    assert.deepEqual(events, [])
    t.mock.timers.tick(1)
    assert.deepEqual(events.slice(0, 3), ['usual flags', 'kept', 'own flags'])
    assert.deepEqual(
      [installation, others, gone].map(each => existsSync(compileCacheFolder(each, process.env)!)),
      [true, true, false]
    )
  })

  const skip = 'enableCompileCache' in nodeModule ? false : 'Node has it since 22.8'
  it('has code whose stack traces name the installation that runs', { skip }, () => {
    writeFileSync(join(installation, 'a.cjs'), 'exports.trace = () => new Error().stack')
    const traceOf = (place: string) => {
      const program = `
        import { createRequire } from 'node:module'
        import { useCompileCache } from ${JSON.stringify(new URL('compile-cache.js', import.meta.url).href)}
        useCompileCache(${JSON.stringify(place)}, run => run())
        console.log(createRequire(import.meta.url)(${JSON.stringify(join(place, 'a.cjs'))}).trace())`
      return execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
    }
    const copy = join(directory, 'copy')
    cpSync(installation, copy, { recursive: true })
    for (const place of [installation, installation, copy, copy]) {
      const trace = traceOf(place)
      assert.ok(trace.includes(`(${join(place, 'a.cjs')}:`) || trace.includes(` ${join(place, 'a.cjs')}:`), trace)
      const kept = readdirSync(compileCacheFolder(place, process.env)!, { recursive: true })
      assert.ok(kept.length > 2, `nothing was kept: ${kept}`)
    }
  })
})
