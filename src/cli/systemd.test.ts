import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { main } from '../testkit/command.js'
import { eventually } from '../testkit/eventually.js'
import { serviceManager } from './systemd.js'

const folder = mkdtempSync(join(tmpdir(), 'binnacle-systemd-'))
// a program that was told late may still be writing
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))

const onLinux = process.platform === 'linux' ? false : 'systemd is of Linux'
const has = (program: string) => spawnSync(program, ['--version']).error === undefined
const withListener = onLinux || (has('python3') && has('systemd-notify') ? false : 'systemd-notify or python3 is not installed')

/** A program in place of systemd-notify that writes down what it is told, after what `first` does. */
function fakeNotify(first = ''): { path: string; told: () => string[] } {
  const bin = mkdtempSync(join(folder, 'bin-'))
  const log = join(bin, 'told')
  writeFileSync(join(bin, 'systemd-notify'), `#!/bin/sh\n${first}\necho "$@" >> "${log}"\n`)
  chmodSync(join(bin, 'systemd-notify'), 0o755)
  // whole lines: the last one may still be under way
  const told = () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : [])
  return { path: `${bin}${delimiter}${process.env.PATH}`, told }
}

const serve = (environment: NodeJS.ProcessEnv): ChildProcess =>
  spawn(process.execPath, [main, 'serve', '--secure-port=0', '--storage-backend=memory'], {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 60_000
  })

describe('systemd', () => {
  it('is told when the server is ready, lives and stops', { skip: onLinux }, async () => {
    const { path, told } = fakeNotify()
    const server = serve({ PATH: path, NOTIFY_SOCKET: '/nowhere', WATCHDOG_USEC: '100000' })
    const ended = once(server, 'exit')
    await eventually(
      'the server has said twice that it lives',
      told,
      lines => lines.filter(line => line === 'WATCHDOG=1').length > 1
    )
    assert.match(told()[0]!, /^READY=1 STATUS=Serving the Kubernetes API at https:\/\/127\.0\.0\.1:\d+$/)
    server.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
    await eventually('the server has said that it stops', told, lines => lines.some(line => line.startsWith('STOPPING=1')))
  })

  it('receives it at its socket', { skip: withListener }, async () => {
    const socket = join(folder, 'notify.sock')
    const program = `import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print('listening', flush=True)
while True:
    print(s.recv(4096).decode().replace('\\n', ' '), flush=True)
`
    const listener = spawn('python3', ['-c', program, socket], { stdio: ['ignore', 'pipe', 'inherit'], timeout: 60_000 })
    let heard = ''
    listener.stdout.setEncoding('utf8').on('data', text => (heard += text))
    await eventually(
      'the listener has said more',
      () => heard,
      text => /listening/.test(text)
    )
    const warned: string[] = []
    const environment = { ...process.env, NOTIFY_SOCKET: socket }
    const manager = serviceManager({ environment, warn: message => warned.push(message) })!
    manager.ready('here')
    await eventually(
      'the listener has said more',
      () => heard,
      text => /READY=1 STATUS=here/.test(text)
    )
    await manager.stopping()
    await eventually(
      'the listener has said more',
      () => heard,
      text => /STOPPING=1/.test(text)
    )
    // systemd-notify fails when nobody listens any more while it ends, which is no failure of what it told
    assert.deepEqual(warned, [])
    listener.kill()
  })

  it('is told one thing after the other', { skip: onLinux }, async () => {
    const { path, told } = fakeNotify('case "$1" in READY*) sleep 0.2;; esac')
    const environment = { PATH: path, NOTIFY_SOCKET: '/x', WATCHDOG_USEC: '20000' }
    const manager = serviceManager({ environment, warn: assert.fail })!
    manager.ready('x')
    await manager.stopping()
    assert.deepEqual(told(), ['READY=1 STATUS=x', 'STOPPING=1 STATUS=Waiting for requests in progress'])
  })

  it('is not told where it does not wait', () => assert.equal(serviceManager({ environment: {}, warn: assert.fail }), undefined))

  it('has to have its program', async () => {
    const warned = await new Promise<string>(warn =>
      serviceManager({ environment: { NOTIFY_SOCKET: '/x', PATH: '/nowhere' }, warn })!.ready('x')
    )
    assert.match(warned, /systemd-notify is not installed\): use Type=exec/)
  })

  it('waits for the process that it names', async () => {
    const { path, told } = fakeNotify()
    const environment = { PATH: path, NOTIFY_SOCKET: '/x', WATCHDOG_USEC: '2000', WATCHDOG_PID: '1' }
    serviceManager({ environment, warn: assert.fail })!.ready('x')
    await eventually('it is told once', told, lines => lines.length > 0)
    assert.deepEqual(told(), ['READY=1 STATUS=x'])
  })
})
