import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { debugSocket } from './debug-socket.js'

test('the debug socket is never open to others, whatever the umask', async t => {
  const before = process.umask(0)
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-debug-'))
  t.after(() => {
    process.umask(before)
    rmSync(folder, { recursive: true })
  })
  const path = join(folder, 'socket')
  const modes = () =>
    readdirSync(folder, { recursive: true })
      .map(String)
      // what is inside a folder that nobody may enter
      .filter(name => !name.includes('/'))
      .map(name => statSync(join(folder, name)).mode & 0o077)
  const part = debugSocket(path, async () => ({
    status: 200,
    headers: {},
    body: Buffer.from('ok'),
    takeWithin: 1000,
    ended() {}
  }))
  writeFileSync(path, 'left by another process', { mode: 0o600 })
  const started = part.start!()
  // the socket listens already
  assert.deepEqual(modes().filter(Boolean), [])
  await started
  assert.deepEqual(readdirSync(folder), ['socket'])
  assert.equal(statSync(path).mode & 0o777, 0o600)
  const client = connect(path)
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  assert.match(String((await once(client, 'data'))[0]), /^HTTP\/1\.1 200 OK/)
  client.destroy()
  await part.stop!()
  assert.equal(existsSync(path), false)
})
