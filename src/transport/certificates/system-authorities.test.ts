import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { systemAuthorities } from './system-authorities.js'

test('SSL_CERT_FILE replaces the files of the system, also where it does not exist', async t => {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-authorities-'))
  t.after(() => rm(directory, { recursive: true }))
  const file = join(directory, 'ca.pem')
  await writeFile(file, 'the authorities')
  assert.equal(await systemAuthorities({ SSL_CERT_FILE: file }), 'the authorities')
  assert.equal(await systemAuthorities({ SSL_CERT_FILE: join(directory, 'none.pem') }), undefined)
})

test('without SSL_CERT_FILE the first file that exists counts', async t => {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-authorities-'))
  t.after(() => rm(directory, { recursive: true }))
  const files = ['none', 'first', 'second'].map(name => join(directory, name))
  for (const file of files.slice(1)) await writeFile(file, file)
  assert.equal(await systemAuthorities({}, files), files[1])
  assert.equal(await systemAuthorities({ SSL_CERT_FILE: '' }, files), files[1])
  assert.equal(await systemAuthorities({}, files.slice(0, 1)), undefined)
})
