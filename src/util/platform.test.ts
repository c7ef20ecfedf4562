import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertUnixSockets, hangupReloads, noBinding, syncsFolders } from './platform.js'

test('Windows syncs no folders, means something else by SIGHUP, and has no Unix sockets', () => {
  assert.deepEqual(
    (['linux', 'darwin', 'win32'] as const).map(platform => syncsFolders(platform)),
    [true, true, false]
  )
  assert.deepEqual([hangupReloads('linux'), hangupReloads('win32')], [true, false])
  assertUnixSockets('--a', 'darwin')
  assert.throws(() => assertUnixSockets('--debug-socket-path', 'win32'), {
    name: 'UserError',
    message: '--debug-socket-path needs Unix sockets, which Windows does not have'
  })
})

test('a missing binding is named with its platform and what works without it', () => {
  assert.equal(
    noBinding('lmdb', 'use --storage-backend=memory', { platform: 'freebsd', arch: 'x64', version: 'v24.1.0' }),
    'the package lmdb has no native binding for freebsd-x64 and Node 24.1.0: install without --omit=optional where there is one (https://github.com/binnacle-dev/binnacle/blob/main/docs/platforms.md), or use --storage-backend=memory'
  )
})
