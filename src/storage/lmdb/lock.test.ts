import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { freshDirectory } from '../testing/fresh-directory.js'
import { lockDirectory } from './lock.js'

const code = `
  const { lockDirectory } = await import(${JSON.stringify(new URL('./lock.js', import.meta.url).href)})
  process.stdin.resume().on('end', () => process.exit())
  try { await lockDirectory(process.argv[1]); console.log('locked') } catch (error) { console.log(error.message) }`

/** What the message says to do. */
const advice = ': stop it first, or use another folder'

const noSockets = process.platform === 'win32'

/** Another process that tries to take the lock, and then lives until the test ends it. */
const contender = async (directory: string, [command = process.execPath, ...args]: readonly string[] = []) => {
  const all = [...args, '--input-type=module', '-e', code, directory]
  const child = spawn(command, all, { stdio: ['pipe', 'pipe', 'inherit'] })
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
  const lock = await lockDirectory(directory)
  await assert.rejects(lockDirectory(directory), {
    name: 'StoreUnavailableError',
    message: `${directory} is in use by process ${process.pid}${advice}`
  })
  lock.release()
  ;(await lockDirectory(directory)).release()
})

test('a directory that another process owns is refused until that process ends, however it ends', async t => {
  const directory = await freshDirectory(t)
  for (const signal of ['SIGKILL', undefined] as const) {
    const other = await contender(directory)
    assert.equal(other.answer, 'locked')
    await assert.rejects(lockDirectory(directory), { message: `${directory} is in use by process ${other.pid}${advice}` })
    await other.end(signal)
    ;(await lockDirectory(directory)).release()
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
    assert.ok(answer === 'locked' || answer === `${directory} is in use by process ${winners[0]?.pid}${advice}`)
  await Promise.all(contenders.map(({ end }) => end()))
})

const lockFile = (directory: string) => readdirSync(directory).find(name => /^lock\.\d+$/.test(name))!

/** Changes what the lock file says of its holder. */
const pretend = (directory: string, changes: object): void => {
  const path = join(directory, lockFile(directory))
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...changes }))
}

test('the holder counts as alive under any process id, because the kernel knows its socket', { skip: noSockets }, async t => {
  const directory = await freshDirectory(t)
  const other = await contender(directory)
  // in another container, the id is that of no process, or of another one
  for (const pid of [2 ** 30, process.pid]) {
    pretend(directory, { pid, start: 'another boot/1', namespace: 'pid:[1]' })
    await assert.rejects(lockDirectory(directory), {
      message: `${directory} is in use by process ${pid} of another container${advice}`
    })
  }
  pretend(directory, { host: 'web-0' })
  await assert.rejects(lockDirectory(directory), { message: /is in use by process \d+ of the container web-0: stop it/ })
  await other.end('SIGKILL')
  ;(await lockDirectory(directory)).release()
})

/** Runs a program as process 1 of a container of its own. */
const contained = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child']
const noContainers = spawnSync(contained[0]!, [...contained.slice(1), 'true']).status !== 0 && 'unshare makes no namespaces here'

test('two containers do not open one folder, though both are process 1', { skip: noContainers }, async t => {
  const directory = await freshDirectory(t)
  const holder = await contender(directory, [...contained, process.execPath])
  assert.equal(holder.answer, 'locked')
  const second = await contender(directory, [...contained, process.execPath])
  assert.equal(second.answer, `${directory} is in use by process 1 of another container${advice}`)
  await Promise.all([holder.end('SIGKILL'), second.end()])
  ;(await lockDirectory(directory)).release()
})

test('a copy of a folder in use is free', { skip: noSockets }, async t => {
  const directory = await freshDirectory(t)
  const copy = join(directory, 'copy')
  const lock = await lockDirectory(directory)
  await mkdir(copy)
  await copyFile(join(directory, lockFile(directory)), join(copy, lockFile(directory)))
  ;(await lockDirectory(copy)).release()
  lock.release()
})

test('a path that is too long for a socket is locked all the same', async t => {
  const directory = join(await freshDirectory(t), 'a'.repeat(120))
  await mkdir(directory)
  const other = await contender(directory)
  pretend(directory, { pid: 2 ** 30 })
  await assert.rejects(lockDirectory(directory), { name: 'StoreUnavailableError' })
  await other.end('SIGKILL')
  ;(await lockDirectory(directory)).release()
})

test('a holder on another machine counts while it touches its lock, and no longer', async t => {
  const directory = await freshDirectory(t)
  const times = { every: 20, patience: 400 }
  const lock = await lockDirectory(directory, times)
  // no kernel but its own knows its socket
  pretend(directory, { boot: 'another', host: 'far', socket: 'lock-none.sock' })
  await assert.rejects(lockDirectory(directory, times), {
    message: `${directory} is in use by process ${process.pid} of the machine far${advice}`
  })
  const held = readFileSync(join(directory, lockFile(directory)))
  lock.release()
  writeFileSync(join(directory, lockFile(directory)), held)
  ;(await lockDirectory(directory, times)).release()
})

test('a lock of a release without sockets counts while its process lives', async t => {
  const directory = await freshDirectory(t)
  writeFileSync(join(directory, 'lock.3'), JSON.stringify({ pid: process.ppid }))
  await assert.rejects(lockDirectory(directory), {
    message: `${directory} is in use by process ${process.ppid}${advice}`
  })
  writeFileSync(join(directory, 'lock.3'), JSON.stringify({ pid: process.pid, start: 'another boot/1' }))
  ;(await lockDirectory(directory)).release()
})

test('a lock that was being written when the power failed does not count, and a release leaves one file behind', async t => {
  const directory = await freshDirectory(t)
  writeFileSync(join(directory, 'lock.7'), '')
  ;(await lockDirectory(directory)).release()
  assert.deepEqual(readdirSync(directory), ['lock.8'])
})
