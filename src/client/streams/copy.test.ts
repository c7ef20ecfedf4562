import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { duplexPair } from '../../util/duplex-pair.js'
import type { KubeClient } from '../types.js'
import { copyFrom, copyTo } from './copy.js'

/** A client whose containers are this machine: it runs the commands of exec here. */
function local(): KubeClient {
  const webSocket: KubeClient['webSocket'] = async ({ url }) => {
    const [program = '', ...args] = new URL(url, 'http://x').searchParams.getAll('command')
    const child = spawn(program, args)
    const [client, container] = duplexPair({ messages: true })
    const send = (channel: number) => (piece: Buffer) => void container.write(Buffer.concat([Buffer.from([channel]), piece]))
    child.stdout.on('data', send(1))
    child.stderr.on('data', send(2))
    child.stdin.on('error', () => {})
    container.on('data', (message: Buffer) => (message[0] === 255 ? child.stdin.end() : child.stdin.write(message.subarray(1))))
    container.on('close', () => child.kill())
    child.on('close', code => {
      const details = { causes: [{ reason: 'ExitCode', message: String(code) }] }
      const status = code === 0 ? { status: 'Success' } : { status: 'Failure', reason: 'NonZeroExitCode', details }
      send(3)(Buffer.from(JSON.stringify(status)))
    })
    return { protocol: 'v5.channel.k8s.io', connection: client }
  }
  return { namespace: 'default', webSocket } as unknown as KubeClient
}

async function folder(t: test.TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'binnacle-copy-'))
  t.after(() => rm(path, { recursive: true, force: true }))
  return path
}

describe('copying', () => {
  test('brings files and folders there and back under other names', async t => {
    const [here, there] = [await folder(t), await folder(t)]
    await mkdir(join(here, 'site/sub'), { recursive: true })
    await writeFile(join(here, 'site/sub/page'), 'hello')
    await copyTo(local(), 'web', join(here, 'site'), `${there}/html`)
    assert.equal(await readFile(join(there, 'html/sub/page'), 'utf8'), 'hello')
    await copyTo(local(), 'web', join(here, 'site/sub/page'), `${there}/one`)
    assert.equal(await readFile(join(there, 'one'), 'utf8'), 'hello')
    await copyFrom(local(), 'web', `${there}/html`, join(here, 'back'))
    assert.equal(await readFile(join(here, 'back/sub/page'), 'utf8'), 'hello')
    await copyFrom(local(), 'web', `${there}/one`, join(here, 'two'))
    assert.equal(await readFile(join(here, 'two'), 'utf8'), 'hello')
  })

  test('takes no links, which could lead elsewhere', async t => {
    const [here, there] = [await folder(t), await folder(t)]
    await mkdir(join(there, 'data'))
    await symlink('/etc/passwd', join(there, 'data/link'))
    await writeFile(join(there, 'data/file'), 'x')
    await copyFrom(local(), 'web', `${there}/data`, join(here, 'data'))
    assert.deepEqual(await readdir(join(here, 'data')), ['file'])
  })

  test('says what tar says', async t => {
    const here = await folder(t)
    await assert.rejects(
      copyFrom(local(), 'web', `${here}/none`, join(here, 'x')),
      /^Error: tar in the container ended with 2: .*none/s
    )
    await assert.rejects(copyTo(local(), 'web', join(here, 'none'), '/tmp/none'), /no such file|ENOENT/)
  })
})
