import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { eventually } from '../../testkit/eventually.js'
import { opener, openPrivately } from './open-browser.js'

it('opens a browser where somebody would see it', () => {
  assert.equal(opener('linux', {}), undefined)
  assert.deepEqual(opener('linux', { DISPLAY: ':0' }), ['xdg-open'])
  assert.deepEqual(opener('linux', { WAYLAND_DISPLAY: 'wayland-0' }), ['xdg-open'])
  assert.deepEqual(opener('darwin', {}), ['open'])
})

it('shows the secret of a link to nobody else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-opened-'))
  const seen = join(folder, 'seen')
  const link = 'http://127.0.0.1:1/console/#code=SECRET'
  const program = `require('fs').writeFileSync(${JSON.stringify(seen)} + '.new', JSON.stringify(process.argv)); require('fs').renameSync(${JSON.stringify(seen)} + '.new', ${JSON.stringify(seen)})`
  const remove = openPrivately(link, [process.execPath, '-e', program, '--'])
  try {
    const text = await eventually('the browser has been started', () => existsSync(seen) && readFileSync(seen, 'utf8'))
    assert.ok(!String(text).includes('SECRET'))
    const file = fileURLToPath(JSON.parse(String(text)).at(-1))
    assert.equal(statSync(file).mode & 0o077, 0)
    assert.equal(statSync(join(file, '..')).mode & 0o077, 0)
    assert.ok(readFileSync(file, 'utf8').includes(`url=${link}"`))
    remove()
    assert.ok(!existsSync(file))
  } finally {
    rmSync(folder, { recursive: true })
  }
  assert.doesNotThrow(openPrivately(link, ['/none/such/program']))
})
