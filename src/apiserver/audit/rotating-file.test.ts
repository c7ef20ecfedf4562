import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { FakeClock } from '../../testkit/fake-clock.js'
import { milliseconds, RotatingFile, type RotatingFileOptions } from './rotating-file.js'

let folder: string
let clock: FakeClock
let file: RotatingFile
const files = () => readdirSync(folder).sort()
const open = (options: Partial<RotatingFileOptions> = {}) => {
  file = new RotatingFile({
    path: join(folder, 'audit.log'),
    maxBytes: 10,
    maxAge: 0,
    maxBackups: 0,
    compress: false,
    clock,
    failed(error) {
      throw error
    },
    ...options
  })
  return file
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'binnacle-audit-'))
  clock = new FakeClock(Date.UTC(2026, 0, 2, 15, 4, 5))
})
afterEach(async () => {
  await file.close()
  rmSync(folder, { recursive: true })
})

describe('the audit log', () => {
  it('is its owner’s alone, and is appended to', async () => {
    writeFileSync(join(folder, 'old'), '')
    open({ path: join(folder, 'new', 'audit.log') }).write('a\n')
    await file.close()
    open({ path: join(folder, 'new', 'audit.log') }).write('b\n')
    assert.equal(readFileSync(join(folder, 'new', 'audit.log'), 'utf8'), 'a\nb\n')
    assert.equal(statSync(join(folder, 'new', 'audit.log')).mode & 0o777, 0o600)
    assert.equal(statSync(join(folder, 'new')).mode & 0o777, 0o700)
  })

  it('is renamed before it would be too large', () => {
    open().write('12345678\n')
    file.write('9\n')
    clock.advance(1500)
    file.write('12345678\n')
    assert.deepEqual(files(), ['audit-2026-01-02T15-04-05.000.log', 'audit-2026-01-02T15-04-06.500.log', 'audit.log'])
    assert.equal(readFileSync(join(folder, 'audit-2026-01-02T15-04-05.000.log'), 'utf8'), '12345678\n')
    assert.throws(() => file.write('12345678901'), { message: 'write length 11 exceeds maximum file size 10' })
  })

  it('never overwrites an old file', () => {
    open()
    for (const line of ['aaaaaaaa\n', 'bbbbbbbb\n', 'cccccccc\n']) file.write(line)
    assert.equal(files().length, 3)
  })

  it('is never renamed without a limit', () => {
    open({ maxBytes: 0 }).write('x'.repeat(100))
    file.write('y')
    assert.deepEqual(files(), ['audit.log'])
  })

  it('keeps as many old files as it should, for as long as it should', async () => {
    for (const day of ['01', '02', '03']) writeFileSync(join(folder, `audit-2025-12-${day}T00-00-00.000.log`), '')
    for (const other of ['audit-notes.log', 'other.log', 'audit-2025-12-01T00-00-00.000.txt'])
      writeFileSync(join(folder, other), '')
    await open({ maxBackups: 2 }).close()
    const others = ['audit-2025-12-01T00-00-00.000.txt', 'audit-notes.log', 'audit.log', 'other.log']
    assert.deepEqual(files(), [...others, 'audit-2025-12-02T00-00-00.000.log', 'audit-2025-12-03T00-00-00.000.log'].sort())
    await open({ maxAge: milliseconds(31) }).close()
    assert.deepEqual(files(), [...others, 'audit-2025-12-03T00-00-00.000.log'].sort())
  })

  it('compresses old files', async () => {
    writeFileSync(join(folder, 'audit-2025-12-01T00-00-00.000.log'), 'text')
    await open({ compress: true }).close()
    assert.deepEqual(files(), ['audit-2025-12-01T00-00-00.000.log.gz', 'audit.log'])
    assert.equal(gunzipSync(readFileSync(join(folder, 'audit-2025-12-01T00-00-00.000.log.gz'))).toString(), 'text')
  })

  it('must be in a folder that can be made', () => {
    open()
    writeFileSync(join(folder, 'file'), '')
    assert.throws(() => new RotatingFile({ ...({} as RotatingFileOptions), path: join(folder, 'file', 'x', 'audit.log') }), {
      name: 'UserError'
    })
  })
})
