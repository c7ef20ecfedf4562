import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { type AddressInfo, createServer as listen } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createServer } from '../../index.js'
import { silentLogger } from '../../util/logger.js'
import type { ServerOptions } from '../options.js'
import { diagnose, type Machine, thisMachine } from './doctor.js'

const folder = mkdtempSync(join(tmpdir(), 'binnacle-doctor-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const dataDir = join(folder, 'data')
const gib = 1024 ** 3

/** A machine on which all is well. */
const sound: Machine = {
  ...thisMachine,
  nodeVersion: '24.1.0',
  disk: () => ({ free: 50 * gib, size: 100 * gib }),
  read: path =>
    path === '/proc/self/limits' ? 'Max open files            65536                65536                files\n' : undefined
}

const found = async (machine: Partial<Machine> = {}, options: ServerOptions = {}) => {
  const findings = await diagnose({ dataDir, securePort: 0, ...options }, { ...sound, ...machine })
  return findings.filter(({ level }) => level !== 'ok').map(({ check, level, message }) => `${level} ${check}: ${message}`)
}

before(async () => {
  const server = createServer({ dataDir, log: silentLogger })
  await server.start()
  const running = await diagnose({ dataDir, securePort: Number(new URL(server.url).port) }, sound)
  await server.stop()
  const of = (name: string) => running.find(({ check }) => check === name)!
  assert.match(of('lock').message, /^a server is running: process \d+$/)
  assert.match(of('port').message, /is in use, and a server runs on the folder$/)
  assert.match(of('store').message, /^not read, because a server writes to it/)
})

describe('the doctor', () => {
  it('finds nothing in what is sound', async () => {
    const findings = await diagnose({ dataDir, securePort: 0 }, sound)
    assert.deepEqual(await found(), [])
    assert.deepEqual(
      findings.map(({ check }) => check),
      ['node', 'packages', 'folder', 'lock', 'store', 'disk', 'certificates', 'clock', 'files', 'memory', 'file events']
    )
    assert.match(findings[4]!.message, /^\d+ keys at revision \d+, all of them readable$/)
    assert.deepEqual(await found({}, { dataDir: join(folder, 'none') }), [])
  })

  it('looks at Node and the limits of the system', async () => {
    assert.deepEqual(await found({ nodeVersion: '20.11.0' }), ['error node: Node 20.11.0'])
    assert.deepEqual(await found({ nodeVersion: '20.19.0' }), ['warn node: Node 20.19.0'])
    const limits = (text: string, memory: string) => (path: string) =>
      path === '/proc/self/limits' ? text : path === '/sys/fs/cgroup/memory.max' ? memory : undefined
    const few = 'Max open files            1024                 4096                 files\n'
    assert.deepEqual(await found({ read: limits(few, 'max') }), ['warn files: 1024 open files at most'])
    const [low, none] = await found({ read: limits('', `${200 * 1024 ** 2}\n`) })
    assert.match(low!, /^error memory: the control group allows 200 MiB of memory, and Node's heap may take /)
    assert.equal(none, undefined)
  })

  it('looks at the disk', async () => {
    const disk = (free: number) => ({ disk: () => ({ free, size: 100 * gib }) })
    assert.deepEqual(await found(disk(gib / 2)), [`warn disk: 512 MiB of 100.0 GiB are free where ${dataDir} is`])
    assert.deepEqual(await found(disk(1024)), [`error disk: 0 MiB of 100.0 GiB are free where ${dataDir} is`])
  })

  it('sees a clock that was set back by the files, and certificates that expire', async () => {
    const past = Date.now() - 3_600_000
    const clock = (await found({ now: () => past })).filter(line => line.startsWith('error clock'))
    assert.match(clock[0]!, /^error clock: files of the folder were written 3\d\d\d s after the clock's /)
    const soon = await found({ now: () => Date.now() + 350 * 86_400_000 })
    assert.match(soon[0]!, /^warn certificates: .*apiserver\.crt: expires in 1\d days$/)
  })

  it('sees what others may read or write', { skip: process.platform === 'win32' && 'Windows has no modes' }, async () => {
    const key = join(dataDir, 'pki', 'ca.key')
    chmodSync(key, 0o644)
    assert.deepEqual(await found(), [`error folder: others may read the key ${key}`])
    chmodSync(key, 0o600)
    chmodSync(dataDir, 0o755)
    assert.deepEqual(await found(), [`warn folder: others may look into ${dataDir}`])
    chmodSync(dataDir, 0o777)
    assert.match((await found())[0]!, /^error folder: --data-dir .*: everybody may write to /)
    chmodSync(dataDir, 0o700)
  })

  it('sees that the last server was killed', async () => {
    const holder = { pid: 2 ** 30, boot: 'another', host: 'old' }
    writeFileSync(join(dataDir, 'store', 'lock.999999'), JSON.stringify(holder))
    // the holder touched it long ago
    utimesSync(join(dataDir, 'store', 'lock.999999'), 1e9, 1e9)
    assert.deepEqual(await found(), [
      'warn lock: the last server, process 1073741824 of the machine old, was ended without being stopped'
    ])
    // the check of the store has taken the lock, and given it back
    assert.deepEqual(await found(), [])
  })

  it('sees a damaged store', async () => {
    const broken = join(folder, 'broken')
    const server = createServer({ dataDir: broken, log: silentLogger })
    await server.start()
    await server.stop()
    truncateSync(join(broken, 'store', 'data.mdb'), 100)
    writeFileSync(join(broken, 'store', 'data.mdb'), 'no store at all, but a text of some length')
    assert.match((await found({}, { dataDir: broken }))[0]!, /^error store: .* is not a Binnacle data directory$/)
  })

  it('sees a port that is in use', async () => {
    const other = listen().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    assert.deepEqual(await found({}, { securePort: port }), [`error port: port ${port} on 127.0.0.1 is in use`])
    other.close()
    await once(other, 'close')
    assert.deepEqual(await found({}, { securePort: port }), [])
  })

  it('asks etcd for its health and its time', async () => {
    let answer = { date: new Date().toUTCString(), body: '{"health":"true"}' }
    const etcd = http.createServer((_, response) => {
      response.setHeader('Date', answer.date)
      response.end(answer.body)
    })
    etcd.listen(0, '127.0.0.1')
    await once(etcd, 'listening')
    const server = `http://127.0.0.1:${(etcd.address() as AddressInfo).port}`
    const options: ServerOptions = { etcdServers: [server], storageBackend: 'etcd3', dataDir: undefined }
    assert.deepEqual(await found({}, options), [])
    answer = { ...answer, date: new Date(Date.now() + 3_600_000).toUTCString() }
    assert.match((await found({}, options))[0]!, /^warn etcd: http.*: its clock differs by 3[56]\d\d s$/)
    answer = { date: new Date().toUTCString(), body: '{"health":"false","reason":"NOSPACE"}' }
    assert.match((await found({}, options))[0]!, /^error etcd: .*: is not healthy: 200 .*NOSPACE/)
    etcd.close()
    await once(etcd, 'close')
    assert.match((await found({}, options))[0]!, /^error etcd: .*ECONNREFUSED/)
  })
})
