import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createServer } from '../../index.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { silentLogger } from '../../util/logger.js'
import { UserError } from '../../util/user-error.js'
import { BackupBucket, backupAddress, bucketAddress } from './bucket.js'
import { restore } from './restore.js'
import { startBucketServer } from './testing/bucket-server.js'

const address = bucketAddress('s3://backups/prod/', '--backup-bucket')
const name = 'binnacle-20260101T010000Z'

function freshFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-bucket-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A folder that looks like a backup, with a file that is uploaded in parts. */
function smallBackup(t: TestContext): { folder: string; large: Buffer } {
  const folder = freshFolder(t)
  const large = Buffer.alloc(17 * 1024 * 1024, 'binnacle')
  for (const part of ['store', 'pki']) mkdirSync(join(folder, part))
  writeFileSync(join(folder, 'store/data.mdb'), large)
  writeFileSync(join(folder, 'pki/ca.crt'), 'certificate')
  return { folder, large }
}

test('an address names a bucket and a folder in it', () => {
  assert.deepEqual(bucketAddress('s3://backups', ''), { bucket: 'backups', prefix: '', text: 's3://backups' })
  assert.equal(bucketAddress('s3://my.backups//a//b/', '').prefix, 'a/b/')
  for (const text of ['s3://', 's3:///x', 's3://Backups', 's3://-x', 'backups', 'https://backups'])
    assert.throws(() => bucketAddress(text, '--to'), new RegExp(`^UserError: --to "${text}"|--to "${text}"`))
  const { folder, name } = backupAddress('s3://backups/a/b/monday', '--from')
  assert.deepEqual([folder.bucket, folder.prefix, name], ['backups', 'a/b/', 'monday'])
  assert.equal(backupAddress('s3://backups/monday', '').folder.prefix, '')
  for (const text of ['s3://backups', 's3://backups/', 's3:///x', 's3:/backups/monday', 's3:backups/monday'])
    assert.throws(() => backupAddress(text, '--from'), UserError)
})

test('a backup comes back as it was, and is there only when all of it is', async t => {
  const served = await startBucketServer(t)
  const { folder, large } = smallBackup(t)
  const bucket = await BackupBucket.open(address)
  t.after(() => bucket.close())
  served.refused = line => line.includes('pki')
  await assert.rejects(bucket.upload(folder, name), /^UserError: s3:\/\/backups\/prod\/: AccessDenied here$/)
  assert.deepEqual(await bucket.present(), [])
  served.refused = () => false
  const told: number[] = []
  await bucket.upload(folder, name, done => void told.push(done))
  assert.equal(told.at(-1), large.length + 'certificate'.length)
  assert.ok(served.requests.filter(line => line.endsWith('data.mdb part')).length >= 3)
  assert.deepEqual(await bucket.present(), [name])
  const target = join(freshFolder(t), 'copy')
  await bucket.download(name, target)
  assert.ok(readFileSync(join(target, 'store/data.mdb')).equals(large))
  assert.equal(readFileSync(join(target, 'pki/ca.crt'), 'utf8'), 'certificate')
  assert.equal(statSync(join(target, 'pki/ca.crt')).mode & 0o077, 0)
  await assert.rejects(bucket.download('other', target), new RegExp(`s3://backups/prod/other is no backup; there are ${name}`))
  await bucket.remove(name)
  assert.deepEqual([...served.objects.keys()], [])
})

test('what is damaged, or lists files elsewhere, is refused', async t => {
  const served = await startBucketServer(t)
  const { folder } = smallBackup(t)
  const bucket = await BackupBucket.open(address)
  t.after(() => bucket.close())
  await bucket.upload(folder, name)
  const key = (path: string) => `prod/${name}/${path}`
  const change = (path: string, text: string) => served.objects.set(key(path), { body: Buffer.from(text), time: new Date() })
  for (const text of ['Certificate', 'certificate and more', 'cert']) {
    change('pki/ca.crt', text)
    await assert.rejects(bucket.download(name, join(freshFolder(t), 'copy')), /pki\/ca\.crt is damaged/)
  }
  const sha256 = '0'.repeat(64)
  for (const path of ['../evil', 'pki/../../evil', '/etc/passwd', 'pki/a/b']) {
    change('backup.json', JSON.stringify({ files: [{ path, bytes: 1, sha256 }] }))
    await assert.rejects(bucket.download(name, join(freshFolder(t), 'copy')), /backup\.json is damaged/)
  }
  change('backup.json', '{')
  await assert.rejects(bucket.download(name, join(freshFolder(t), 'copy')), /backup\.json is damaged/)
})

test('scheduled backups go to a bucket, are kept in their number, and can be restored', async t => {
  const served = await startBucketServer(t)
  const folder = freshFolder(t)
  const old = new Date(0)
  // what a killed process has left, and what is somebody else's
  for (const key of ['prod/binnacle-20251231T000000Z/store/data.mdb', 'prod/notes.txt', 'elsewhere'])
    served.objects.set(key, { body: Buffer.from('x'), time: old })
  const clock = new FakeClock(Date.UTC(2026, 0, 1, 0, 30))
  const dataDir = join(folder, 'data')
  const server = createServer({
    ...{ clock, log: silentLogger, dataDir, listen: false },
    ...{ backupSchedule: '@hourly', backupBucket: 's3://backups/prod', backupKeep: 2 }
  })
  await server.start()
  for (const name of ['a', 'b', 'c']) {
    await server.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } })
    await clock.pass(3_600_000)
  }
  await server.stop()
  const keys = [...served.objects.keys()]
  assert.deepEqual([...new Set(keys.map(key => key.split('/').slice(0, 2).join('/')))].sort(), [
    'elsewhere',
    'prod/binnacle-20260101T020000Z',
    'prod/binnacle-20260101T030000Z',
    'prod/notes.txt'
  ])
  const bucket = await BackupBucket.open(address)
  t.after(() => bucket.close())
  await bucket.download('binnacle-20260101T020000Z', join(folder, 'copy'))
  await restore(join(folder, 'copy'), join(folder, 'restored'))
  const restored = createServer({ clock, log: silentLogger, dataDir: join(folder, 'restored'), listen: false })
  await restored.start()
  const { items } = await restored.client().untyped('v1', 'ConfigMap').list({ namespace: 'default' })
  assert.deepEqual(
    items.map(({ metadata }) => metadata.name).filter(name => name!.length === 1),
    ['a', 'b']
  )
  await restored.stop()
})

test('a bucket that cannot be reached fails the backup, and not the server', async t => {
  const served = await startBucketServer(t)
  served.refused = () => true
  const errors: string[] = []
  const log = { ...silentLogger, error: (text: string) => void errors.push(text) }
  const clock = new FakeClock(Date.UTC(2026, 0, 1, 0, 30))
  const server = createServer({
    ...{ clock, log, dataDir: join(freshFolder(t), 'data'), listen: false },
    ...{ backupSchedule: '@hourly', backupBucket: 's3://backups/prod' }
  })
  await server.start()
  await clock.pass(3_600_000)
  const { body } = await server.inject({ url: '/metrics', user: { name: 'p', groups: ['system:masters'] } })
  assert.match(String(body), /^binnacle_scheduled_backups_total\{result="failure"\} 1$/m)
  await server.stop()
  assert.ok(
    errors.some(text => /^the scheduled backup failed: s3:\/\/backups\/prod: AccessDenied here$/.test(text)),
    errors.join('\n')
  )
})
