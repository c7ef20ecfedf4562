import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { chmod, chown, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { createServer } from '../../index.js'
import { backup } from '../../server/maintenance/backup.js'
import { restore, usualBump } from '../../server/maintenance/restore.js'
import { openRestoreFolder } from '../../server/maintenance/restore-folder.js'
import { startBucketServer } from '../../server/maintenance/testing/bucket-server.js'
import { Database } from '../../storage/lmdb/database.js'
import { openLmdbStore } from '../../storage/lmdb/store.js'
import { freshDirectory } from '../../storage/testing/fresh-directory.js'
import { silentLogger } from '../../util/logger.js'
import { UserError } from '../../util/user-error.js'
import { main } from '../command.js'
import { startServerProcess } from './server-process.js'

const path = '/api/v1/namespaces/default/configmaps'
const run = (...args: string[]) => promisify(execFile)(process.execPath, [main, ...args])
const open = (dataDir: string) => openLmdbStore({ directory: join(dataDir, 'store'), compactionInterval: 0 })

test('a backup under load has the state of one moment, and a restored server goes on from there', async t => {
  const directory = await freshDirectory(t)
  const [dataDir, target, again] = ['data', 'backup', 'again'].map(name => join(directory, name)) as [string, string, string]
  const server = await startServerProcess(dataDir)
  const acknowledged = new Map<string, number>()
  let writing = true
  const writers = Array.from({ length: 4 }, async (_, client) => {
    for (let i = 0; writing; i++) {
      const name = `c${client}-${i % 50}`
      const object = { metadata: { name }, data: { n: String(i) } }
      const known = acknowledged.has(name)
      const { status } = await server.request(known ? 'PUT' : 'POST', known ? `${path}/${name}` : path, object)
      assert.ok(status < 300, String(status))
      acknowledged.set(name, i)
    }
  })
  while (acknowledged.size < 100) await server.request('GET', '/readyz').catch(() => {})
  const before = new Map(acknowledged)
  await backup(dataDir, target)
  writing = false
  await Promise.all(writers)
  await server.kill('SIGKILL')
  assert.equal(statSync(join(target, 'store', 'data.mdb')).mode & 0o777, 0o600)

  await restore(target, again, 0)
  const [source, copy] = [await open(dataDir), await open(again)]
  const revision = await copy.currentRevision()
  assert.deepEqual(await copy.list('/'), await source.list('/', { revision }))
  for (const [name, n] of before) {
    const found = await copy.get(`/registry/configmaps/default/${name}`)
    assert.ok(Number(JSON.parse(found!.value.toString()).data.n) >= n, name)
  }
  await Promise.all([source.close(), copy.close()])

  const raised = join(directory, 'raised')
  assert.equal((await restore(target, raised)).revision, revision + usualBump)
  const restored = await startServerProcess(raised)
  t.after(() => restored.kill('SIGKILL'))
  const watch = await restored.request('GET', `${path}?watch=1&resourceVersion=${revision}`)
  assert.equal(watch.body.object.code, 410)
  const { body } = await restored.request('POST', path, { metadata: { name: 'next' } })
  assert.ok(Number(body.metadata.resourceVersion) > revision + usualBump)
})

test('what cannot be backed up or restored is refused in one line, and nothing is left behind', async t => {
  const directory = await freshDirectory(t)
  const [dataDir, target] = [join(directory, 'data'), join(directory, 'backup')]
  const store = await open(dataDir)
  await store.commit([{ key: '/registry/configmaps/x/a', value: Buffer.from('{}') }])
  await store.close()
  const binnacle = async (...args: string[]) => {
    try {
      return (await promisify(execFile)(process.execPath, [main, ...args])).stdout
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string }
      return stdout + stderr
    }
  }
  assert.match(
    await binnacle('backup', `--data-dir=${directory}`, `--to=${target}`),
    /^binnacle: .*\/store has no store: name the data folder of a server, or a backup\n$/
  )
  assert.ok(!existsSync(target))
  assert.match(await binnacle('backup', `--data-dir=${dataDir}`, `--to=${target}`), /has the backup of/)
  assert.match(await binnacle('backup', `--data-dir=${dataDir}`, `--to=${target}`), /^binnacle: --to .*: exists already; .*\n$/)
  assert.match(
    await binnacle('restore', `--from=${target}`, `--data-dir=${dataDir}`),
    /^binnacle: --data-dir .*: has a store already; .*\n$/
  )
  assert.match(
    await binnacle('check', `--data-dir=${target}`),
    /configmaps\/x\/a: the stored object is a undefined, not a ConfigMap\nbinnacle: one problem found\n$/
  )

  const newer = await Database.open(join(target, 'store'))
  await newer.write(() => newer.putFormat(3))
  await newer.close()
  const refused = await binnacle('restore', `--from=${target}`, `--data-dir=${join(directory, 'again')}`)
  assert.match(refused, /^binnacle: .*was written by a newer Binnacle \(format 3; this one knows 2\)\n$/)
  assert.ok(!existsSync(join(directory, 'again', 'store')))
})

test('a backup ends in no folder that somebody else can replace, and is restored from none', {
  skip: !process.geteuid
}, async t => {
  const directory = await freshDirectory(t)
  const [dataDir, open_, target] = ['data', 'open', 'open/backup'].map(name => join(directory, name)) as [string, string, string]
  await (await open(dataDir)).close()
  await mkdir(open_)
  await chmod(open_, 0o777)
  await assert.rejects(backup(dataDir, target), { message: /^--to .*: everybody may write to .*open \(mode 0777\)/ })
  assert.deepEqual(readdirSync(open_), [])
  await chmod(open_, 0o700)
  // what stood there under a name that one can guess
  await symlink(directory, join(open_, '.backup.partial'))
  await backup(dataDir, target)
  assert.ok(!existsSync(join(directory, 'pki')))
  await chmod(join(target, 'store', 'data.mdb'), 0o666)
  await assert.rejects(restore(target, join(directory, 'again')), { message: /^--from .*: everybody may write to .*data\.mdb/ })
  assert.ok(!existsSync(join(directory, 'again')))
})

describe('a restore', () => {
  /** Makes a backup; `again` is the data folder to restore into, and `partial` where a restore grows in it. */
  async function make(t: TestContext) {
    const directory = await freshDirectory(t)
    const [dataDir, target, again] = ['data', 'backup', 'again'].map(name => join(directory, name)) as [string, string, string]
    const store = await open(dataDir)
    await store.commit([{ key: '/registry/configmaps/x/a', value: Buffer.from('{}') }])
    await store.close()
    await mkdir(join(dataDir, 'pki'), { mode: 0o700 })
    await writeFile(join(dataDir, 'pki', 'ca.key'), 'the key', { mode: 0o600 })
    await backup(dataDir, target)
    return { directory, target, again, partial: join(again, '.restore.partial') }
  }

  test('that was killed is begun again by the same command', async t => {
    const { directory, target, again, partial } = await make(t)
    // a process that ends as if by SIGKILL while it holds the folder, with parts of a store and of keys in it
    const code = `import { mkdirSync, writeFileSync } from 'node:fs'
      import { openRestoreFolder } from ${JSON.stringify(new URL('../../server/maintenance/restore-folder.js', import.meta.url).href)}
      mkdirSync(process.argv[1], { recursive: true, mode: 0o700 })
      const { path } = await openRestoreFolder(process.argv[1])
      for (const name of ['store', 'pki']) mkdirSync(path + '/' + name)
      writeFileSync(path + '/store/data.mdb', 'half a store')
      writeFileSync(path + '/pki/ca.crt', 'a certificate without its key')
      process.kill(process.pid, 'SIGKILL')`
    await assert.rejects(promisify(execFile)(process.execPath, ['--input-type=module', '-e', code, again]), { signal: 'SIGKILL' })
    assert.ok(existsSync(join(partial, 'store', 'data.mdb')))
    const server = createServer({ dataDir: again, log: silentLogger, listen: false })
    await assert.rejects(server.start(), { message: /a restore into it has not come to its end; run it again, or remove / })
    const { keys } = await restore(target, again)
    assert.ok(keys > 0)
    assert.deepEqual(readdirSync(again).sort(), ['pki', 'store'])
    assert.deepEqual(readdirSync(join(again, 'pki')), ['ca.key'])
    // killed right after it had made its folder
    const third = join(directory, 'third')
    await mkdir(join(third, '.restore.partial'), { recursive: true, mode: 0o700 })
    await restore(target, third)
    assert.deepEqual(readdirSync(third).sort(), ['pki', 'store'])
  })

  test('takes nothing else for what a restore has left', async t => {
    const { directory, target, again, partial } = await make(t)
    await mkdir(again, { mode: 0o700 })
    const refused = (message: RegExp) =>
      assert.rejects(restore(target, again), error => error instanceof UserError && message.test(error.message))
    const elsewhere = join(directory, 'elsewhere')
    await mkdir(elsewhere, { mode: 0o700 })
    await symlink(elsewhere, partial)
    await refused(/is not the folder that an interrupted restore leaves; look what it is, and move it away$/)
    await rm(partial)
    await mkdir(partial, { mode: 0o700 })
    await writeFile(join(partial, 'letter'), 'x')
    await refused(/holds letter, which no restore leaves there/)
    await rm(join(partial, 'letter'))
    await chmod(partial, 0o755)
    await refused(/may be read by others/)
    await chmod(partial, 0o700)
    if (process.geteuid?.() === 0) {
      await chown(partial, 65_534, 65_534)
      await refused(/belongs to user 65534, and this process is user 0/)
      await chown(partial, 0, 0)
    }
    assert.deepEqual([readdirSync(again), readdirSync(elsewhere)], [['.restore.partial'], []])
    await restore(target, again)
  })

  test('waits for no other one, and does not disturb it', async t => {
    const { target, again } = await make(t)
    await mkdir(again, { mode: 0o700 })
    const other = await openRestoreFolder(again)
    await mkdir(join(other.path, 'store'))
    await assert.rejects(restore(target, again), { message: /\.restore\.partial is in use by/ })
    assert.ok(existsSync(join(other.path, 'store')))
    await other.remove()
    await restore(target, again)
  })
})

test('a backup goes to a bucket and comes back from there', async t => {
  const served = await startBucketServer(t)
  const directory = await freshDirectory(t)
  const dataDir = join(directory, 'data')
  const store = await open(dataDir)
  await store.commit([{ key: '/registry/x', value: Buffer.from('{}') }])
  await store.close()
  const address = 's3://backups/prod/monday'
  await run('backup', '--data-dir', dataDir, '--to', address)
  assert.ok(served.objects.has('prod/monday/backup.json'))
  await assert.rejects(run('backup', '--data-dir', dataDir, '--to', address), /exists already/)
  await assert.rejects(run('restore', '--from', 's3://backups/prod/tuesday', '--data-dir', dataDir), /there are monday/)
  const again = join(directory, 'again')
  assert.match((await run('restore', '--from', address, '--data-dir', again)).stdout, /has 1 keys from s3:/)
  const copy = await open(again)
  assert.equal(String((await copy.get('/registry/x'))?.value), '{}')
  await copy.close()
})
