import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { freshDirectory } from '../testing/fresh-directory.js'
import { lockDirectory } from './lock.js'

const code = `
  const { lockDirectory } = await import(${JSON.stringify(new URL('./lock.js', import.meta.url).href)})
  process.stdin.resume().on('end', () => process.exit())
  try { lockDirectory(process.argv[1]); console.log('locked') } catch (error) { console.log(error.message) }`

/** Another process that tries to take the lock, and then lives until the test ends it. */
const contender = async (directory: string) => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', code, directory], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [answer] = await once(child.stdout, 'data')
  const end = async (signal?: NodeJS.Signals): Promise<void> => {
    const closed = once(child, 'close')
    signal ? child.kill(signal) : child.stdin.end()
    await closed
  }
  return { pid: child.pid, answer: String(answer).trim(), end }
}

test('a directory has one owner, also within one process', async t => {
  const directory = await freshDirectory(t)
  const lock = lockDirectory(directory)
  assert.throws(() => lockDirectory(directory), {
    name: 'StoreUnavailableError',
    message: `${directory} is in use by process ${process.pid}`
  })
  lock.release()
  lockDirectory(directory).release()
})

test('a directory that another process owns is refused until that process ends, however it ends', async t => {
  const directory = await freshDirectory(t)
  for (const signal of ['SIGKILL', undefined] as const) {
    const other = await contender(directory)
    assert.equal(other.answer, 'locked')
    assert.throws(() => lockDirectory(directory), { message: `${directory} is in use by process ${other.pid}` })
    await other.end(signal)
    lockDirectory(directory).release()
  }
})

test('when many processes find a stale lock, one gets it', async t => {
  const directory = await freshDirectory(t)
  const first = await contender(directory)
  await first.end('SIGKILL')
  const contenders = await Promise.all(Array.from({ length: 5 }, () => contender(directory)))
  const winners = contenders.filter(({ answer }) => answer === 'locked')
  assert.equal(winners.length, 1)
  for (const { answer } of contenders)
    assert.ok(answer === 'locked' || answer === `${directory} is in use by process ${winners[0]?.pid}`)
  await Promise.all(contenders.map(({ end }) => end()))
})

test('a later process with the same id does not count as the holder', { skip: process.platform !== 'linux' }, async t => {
  const directory = await freshDirectory(t)
  lockDirectory(directory)
  const [name = ''] = readdirSync(directory)
  const holder = JSON.parse(readFileSync(join(directory, name), 'utf8'))
  assert.equal(holder.pid, process.pid)
  writeFileSync(join(directory, name), JSON.stringify({ ...holder, start: 'another boot/1' }))
  lockDirectory(directory)
  assert.equal(readdirSync(directory).length, 1)
})

test('a lock that was being written when the power failed does not count', async t => {
  const directory = await freshDirectory(t)
  writeFileSync(join(directory, 'lock.7'), '')
  lockDirectory(directory)
  assert.deepEqual(readdirSync(directory), ['lock.8'])
})
