import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { systemClock } from '../../util/clock.js'
import { FileFollower } from './reload.js'

let directory: string
let path: string
let follower: FileFollower
let seen: string[]
let errors: Error[]
let wake: () => void
/** A follower does not keep the process alive. */
let alive: NodeJS.Timeout

const next = () => new Promise<void>(resolve => (wake = resolve))
const follow = (text: string, clock = systemClock) =>
  new FileFollower({
    path,
    text,
    clock,
    changed(content) {
      seen.push(content)
      wake()
      if (content === 'bad') throw new Error('a bad content')
    },
    failed: error => void errors.push(error)
  })

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'binnacle-reload-'))
  path = join(directory, 'config.yaml')
  seen = []
  errors = []
  wake = () => {}
  alive = setInterval(() => {}, 1000)
  writeFileSync(path, 'one')
})
afterEach(async () => {
  clearInterval(alive)
  await follower.stop()
  rmSync(directory, { recursive: true })
})

describe('a followed file', () => {
  it('tells of each new content once', async () => {
    follower = follow('one')
    follower.start()
    await follower.check()
    assert.deepEqual(seen, [])
    const told = next()
    writeFileSync(join(directory, 'new'), 'two')
    renameSync(join(directory, 'new'), path)
    await told
    await follower.check()
    assert.deepEqual(seen, ['two'])
  })

  it('tells of a content that came while the server started', async () => {
    follower = follow('zero')
    const told = next()
    follower.start()
    await told
    assert.deepEqual(seen, ['one'])
  })

  it('is found through the link of a mounted ConfigMap', async () => {
    const folder = (name: string, text: string) => {
      mkdirSync(join(directory, name))
      writeFileSync(join(directory, name, 'config.yaml'), text)
    }
    folder('..one', 'one')
    folder('..two', 'two')
    rmSync(path)
    symlinkSync('..one', join(directory, '..data'))
    symlinkSync('..data/config.yaml', path)
    follower = follow('one')
    follower.start()
    await follower.check()
    const told = next()
    symlinkSync('..two', join(directory, '..new'))
    renameSync(join(directory, '..new'), join(directory, '..data'))
    await told
    assert.deepEqual(seen, ['two'])
  })

  it('is not read when another file of its folder changes', async () => {
    follower = follow('one')
    follower.start()
    await follower.check()
    const checked: string[] = []
    const event = new Promise<void>(resolve => {
      // events of a folder come in order
      const watcher = watch(directory, (_, name) => {
        checked.push(`event of ${name}`)
        if (name !== 'last') return
        watcher.close()
        resolve()
      })
    })
    follower.check = async () => void checked.push('check')
    writeFileSync(join(directory, 'audit.log'), 'x')
    writeFileSync(join(directory, 'last'), 'x')
    await event
    assert.ok(checked.includes('event of audit.log'))
    assert.ok(!checked.includes('check'), checked.join())
  })

  it('is looked at every minute', async () => {
    const timers: { callback: () => void; ms: number }[] = []
    const clock = {
      now: () => 0,
      setTimeout(callback: () => void, ms: number) {
        timers.push({ callback, ms })
        return { cancel() {} }
      }
    }
    follower = follow('one', clock)
    follower.start()
    assert.equal(timers[0]!.ms, 60_000)
    timers[0]!.callback()
    assert.equal(timers.length, 2)
    await follower.check()
  })

  it('may be missing for a while', async () => {
    follower = follow('one')
    rmSync(path)
    await follower.check()
    assert.equal(errors.length, 1)
    writeFileSync(path, 'three')
    await follower.check()
    assert.deepEqual(seen, ['three'])
  })

  it('is followed further after a content that cannot be used', async () => {
    follower = follow('one')
    for (const text of ['bad', 'good']) {
      writeFileSync(path, text)
      await follower.check()
    }
    assert.deepEqual(seen, ['bad', 'good'])
    assert.deepEqual(
      errors.map(({ message }) => message),
      ['a bad content']
    )
  })

  it('is not read after the stop', async () => {
    follower = follow('zero')
    await follower.stop()
    await follower.check()
    assert.deepEqual(seen, [])
  })
})
