/** Processes of a server that die, hang or end: nothing that was acknowledged is lost. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../eventually.js'
import { startServerProcess } from './server-process.js'
import { configMap, configMaps, connect, connectToEach, isAlive, namesUntil, start, timeout } from './worker-processes.js'

test('a worker that dies is replaced; what it has acknowledged stays, and watches of the others go on', { timeout }, async t => {
  const { server } = await start(t)
  const byProcess = await connectToEach(t, server, 3)
  // each of the other processes has a watch that goes on
  const watches = await Promise.all([0, 2].map(number => byProcess.get(number)!.watch(configMaps)))
  assert.equal((await byProcess.get(1)!.request('POST', configMaps, configMap('before', 'x'))).status, 201)
  const pid = Number(/^I\d+ \S+ +(\d+) worker:1\] /m.exec(server.log())![1])
  process.kill(pid, 'SIGKILL')
  await assert.rejects(byProcess.get(1)!.request('GET', `${configMaps}/before`))
  const fresh = connect(server)
  t.after(() => fresh.close())
  assert.equal((await fresh.request('GET', `${configMaps}/before`)).status, 200)
  await eventually(
    `a process replaces ${pid}`,
    () => server.workers(),
    workers => workers.length === 2 && !workers.includes(pid)
  )
  const replaced = `worker 1 (process ${pid}) ended by SIGKILL, and is replaced`
  await eventually(
    'the log says so',
    () => server.log(),
    log => log.includes(replaced)
  )
  const again = (await connectToEach(t, server, 3)).get(1)!
  assert.equal((await again.request('GET', `${configMaps}/before`)).status, 200)
  assert.equal((await again.request('POST', configMaps, configMap('after', 'x'))).status, 201)
  for (const watch of watches) assert.deepEqual((await namesUntil(watch, 'after')).slice(-2), ['before', 'after'])
})

test('no worker outlives the first process', { timeout }, async t => {
  const { server } = await start(t)
  const workers = server.workers()
  assert.equal(workers.length, 2)
  await server.kill('SIGKILL')
  await eventually(
    'the workers have ended',
    () => workers.filter(isAlive),
    ({ length }) => length === 0
  )
})

test('a server can be started again at once where the first process was killed, even if the others hang', {
  timeout
}, async t => {
  const { server, directory } = await start(t)
  const workers = server.workers()
  for (const worker of workers) process.kill(worker, 'SIGSTOP')
  await server.kill('SIGKILL')
  const again = await startServerProcess(directory, [`--secure-port=${new URL(server.url).port}`])
  t.after(() => again.kill('SIGKILL'))
  assert.equal((await again.request('GET', configMaps)).status, 200)
  assert.ok(workers.every(isAlive))
  for (const worker of workers) process.kill(worker, 'SIGCONT')
  await eventually(
    'the workers have ended',
    () => workers.filter(isAlive),
    ({ length }) => length === 0
  )
})

test('SIGTERM lets requests of all processes end', { timeout }, async t => {
  const { server } = await start(t)
  const workers = server.workers()
  const all = [...(await connectToEach(t, server, 3)).values()]
  const watching = [...(await connectToEach(t, server, 3)).values()]
  const watches = await Promise.all(watching.map(one => one.watch(configMaps)))
  const begun = await Promise.all(all.map((one, i) => one.begin('POST', configMaps, configMap(`last-${i}`, 'x'))))
  const ended = server.kill('SIGTERM')
  // watches end first
  for (const watch of watches) for await (const _ of watch);
  for (const end of begun) assert.equal((await end()).status, 201)
  await ended
  assert.equal(server.child.exitCode, 0)
  assert.ok(!workers.some(isAlive))
  assert.doesNotMatch(server.log(), /is killed/)
})
