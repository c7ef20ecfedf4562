import assert from 'node:assert/strict'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { assertOwn, assertOwnFiles, assertSafeParent } from './file-owner.js'

const isPosix = process.geteuid !== undefined
const isRoot = process.geteuid?.() === 0
const what = '--data-dir x'

describe('files that others could have changed', { skip: !isPosix }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-owner-'))
  const inner = join(folder, 'inner')
  mkdirSync(inner)
  const file = join(inner, 'ca.key')
  writeFileSync(file, '')
  process.on('exit', () => rmSync(folder, { recursive: true }))

  it('are refused by their mode', () => {
    assertOwnFiles(inner, { what })
    for (const [path, mode] of [
      [inner, 0o777],
      [file, 0o602]
    ] as const) {
      chmodSync(path, mode)
      assert.throws(() => assertOwnFiles(inner, { what }), {
        message: new RegExp(`^--data-dir x: everybody may write to ${path}`)
      })
      chmodSync(path, 0o700)
    }
    assertOwn(join(folder, 'none'), { what })
  })

  it('are refused by their owner and group', { skip: !isRoot && 'only root can give files away' }, () => {
    chownSync(file, 65534, 65534)
    assert.throws(() => assertOwnFiles(inner, { what }), { message: /ca\.key belongs to user 65534.*chown -R 0 it$/ })
    chownSync(file, 0, 65534)
    chmodSync(file, 0o660)
    assert.throws(() => assertOwn(file, { what }), { message: /the group 65534 may write to .*mode 0660/ })
    assertOwn(file, { what, byGroup: true })
    chownSync(file, 0, 0)
    assertOwn(file, { what })
  })

  it('make a folder unsafe, unless nobody can move what belongs to others', () => {
    chmodSync(inner, 0o777)
    assert.throws(() => assertSafeParent(inner, what))
    if (isRoot) {
      chmodSync(inner, 0o1777)
      assertSafeParent(inner, what)
      chownSync(inner, 65534, 65534)
      assert.throws(() => assertSafeParent(inner, what), { message: /belongs to user 65534/ })
      chownSync(inner, 0, 0)
    }
    chmodSync(inner, 0o700)
    assertSafeParent(inner, what)
  })
})
