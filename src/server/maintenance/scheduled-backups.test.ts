import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { createServer } from '../../index.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { silentLogger } from '../../util/logger.js'
import type { ServerOptions } from '../options.js'
import { restore } from './restore.js'

const folder = mkdtempSync(join(tmpdir(), 'binnacle-scheduled-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const hour = 3_600_000
const map = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } })

describe('scheduled backups', () => {
  it('are made at their times, kept in their number, and can be restored', async () => {
    const clock = new FakeClock(Date.UTC(2026, 0, 1, 0, 30))
    const backups = join(folder, 'backups')
    mkdirSync(backups, { mode: 0o700 })
    // what a killed process has left, what may still grow, and what is somebody else's
    for (const name of ['.binnacle-20251231T000000Z.abcdef', '.binnacle-20251231T010000Z.fedcba', 'other']) {
      mkdirSync(join(backups, name))
      writeFileSync(join(backups, name, 'x'), '')
    }
    utimesSync(join(backups, '.binnacle-20251231T000000Z.abcdef'), 1e9, 1e9)
    const options: ServerOptions = { clock, log: silentLogger, backupSchedule: '@hourly', backupFolder: backups, backupKeep: 2 }
    const server = createServer({ ...options, dataDir: join(folder, 'data') })
    await server.start()
    const metric = async (name: string) => {
      const { body } = await server.inject({ url: '/metrics', user: { name: 'prometheus', groups: ['system:masters'] } })
      return new RegExp(`^${name.replaceAll(/[{}]/g, '\\$&')} (.*)$`, 'm').exec(String(body))?.[1]
    }
    try {
      assert.equal(await metric('binnacle_scheduled_backup_last_success_timestamp_seconds'), '0')
      for (const name of ['a', 'b', 'c']) {
        await server.apply(map(name))
        await clock.pass(hour)
      }
      assert.deepEqual(readdirSync(backups).sort(), [
        '.binnacle-20251231T010000Z.fedcba',
        'binnacle-20260101T020000Z',
        'binnacle-20260101T030000Z',
        'other'
      ])
      assert.equal(await metric('binnacle_scheduled_backups_total{result="success"}'), '3')
      assert.equal(
        Number(await metric('binnacle_scheduled_backup_last_success_timestamp_seconds')),
        Date.UTC(2026, 0, 1, 3) / 1000
      )
      // the server goes on writing to the store that was copied
      await server.apply(map('d'))
      // a folder that cannot be written to: the name is taken
      writeFileSync(join(backups, 'binnacle-20260101T040000Z'), '')
      await clock.pass(hour)
      assert.equal(await metric('binnacle_scheduled_backups_total{result="failure"}'), '1')
      assert.equal(await metric('binnacle_scheduled_backups_total{result="success"}'), '3')
    } finally {
      await server.stop()
    }
    await restore(join(backups, 'binnacle-20260101T030000Z'), join(folder, 'restored'))
    const restored = createServer({ clock, log: silentLogger, dataDir: join(folder, 'restored') })
    await restored.start()
    const { items } = await restored.client().untyped('v1', 'ConfigMap').list({ namespace: 'default' })
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name).filter(name => name!.length === 1),
      ['a', 'b', 'c']
    )
    await restored.stop()
  })

  for (const [options, message] of [
    [{ backupSchedule: '@daily' }, /^--backup-schedule needs --backup-folder/],
    [{ backupFolder: '/backups' }, /^--backup-folder needs --backup-schedule/],
    [{ backupSchedule: '@daily', backupFolder: '/backups' }, /^--backup-schedule is for --storage-backend=lmdb/],
    [{ backupSchedule: 'often', backupFolder: '/backups', dataDir: join(folder, 'x') }, /^--backup-schedule "often": /]
  ] as const)
    it(`refuse ${JSON.stringify(options)}`, async () => {
      await assert.rejects(createServer({ ...options, log: silentLogger }).start(), { name: 'UserError', message })
    })
})
