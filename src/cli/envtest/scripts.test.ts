import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { kubectlScript, programScript } from './scripts.js'

const flags = ["--label=it's; $HOME", '--controllers=*']
const script = (platform: NodeJS.Platform, name = 'kube-apiserver', node = '/opt/node', main = "/it's here/main.js") =>
  programScript(name, { node, main }, flags, platform)

describe('the script of a program', () => {
  it('is the same on macOS as on Linux, whose is run in tests: it needs nothing but a POSIX shell', () =>
    assert.equal(script('darwin'), script('linux')))

  for (const shell of ['sh', 'dash', 'bash --posix', 'busybox sh', 'zsh --emulate sh', 'ksh']) {
    const [command = '', ...options] = shell.split(' ')
    const skip = spawnSync(command, [...options, '-c', 'exit 0']).status !== 0 && `there is no ${command}`
    it(`hands on its flags as they are: ${shell}`, { skip }, () => {
      // printf stands for Node, and a file that exists for its program
      const text = script('linux', 'kube-apiserver', '/usr/bin/printf', '/bin/sh')
        // V8's options are not printf's
        .replace(/^exec "\$node" .*? "\$main"/m, () => 'exec "$node" \'%s\\n\' "$main"')
      const { status, stdout, stderr } = spawnSync(command, [...options, '-c', text, '/nowhere/kube-apiserver', '--a=b c', '*'], {
        encoding: 'utf8'
      })
      const lines = ['/bin/sh', 'envtest-program', 'kube-apiserver', String(process.pid), ...flags, '--a=b c', '*', '']
      assert.deepEqual([status, stderr, stdout.split('\n')], [0, '', lines])
    })
  }

  it('says on Windows what is gone, and has names of all languages', () => {
    const text = script('win32', 'etcd', 'C:\\José\\node.exe', 'C:\\main.js')
    assert.match(text, /^@echo off\r\nrem [ -~]*\r\nchcp 65001 > nul\r\nif /)
    assert.doesNotMatch(script('win32', 'etcd', 'C:\\node.exe', 'C:\\main.js'), /chcp/)
    assert.match(kubectlScript('C:\\José\\kubectl.exe', 'win32'), /^@echo off\r\nchcp 65001 > nul\r\n"C:/)
    for (const file of ['C:\\José\\node.exe', 'C:\\main.js'])
      assert.ok(text.includes(`if not exist "${file}" (\r\n  echo etcd: "${file}" is not there any more; `))
  })

  it('is one for cmd.exe on Windows: quoted, with its percent signs doubled, and with the exit code of its last command', () => {
    const text = programScript(
      'etcd',
      { node: 'C:\\Program Files\\node.exe', main: 'C:\\100%\\main.js' },
      ['--controllers=*'],
      'win32'
    )
    assert.deepEqual(text.split('\r\n'), [
      '@echo off',
      'rem Written by "binnacle envtest".',
      'if "%~1"=="--help" if exist "%~dp0kube-apiserver.help" (',
      '  type "%~dp0kube-apiserver.help"',
      '  exit /b 0',
      ')',
      'if not exist "C:\\Program Files\\node.exe" (',
      '  echo etcd: "C:\\Program Files\\node.exe" is not there any more; run "binnacle envtest" again 1>&2',
      '  exit /b 1',
      ')',
      'if not exist "C:\\100%%\\main.js" (',
      '  echo etcd: "C:\\100%%\\main.js" is not there any more; run "binnacle envtest" again 1>&2',
      '  exit /b 1',
      ')',
      '"C:\\Program Files\\node.exe" "--v8-pool-size=1" "--max-semi-space-size=8" "C:\\100%%\\main.js" "envtest-program" "etcd" "0" "--controllers=*" %*',
      ''
    ])
  })

  it('of a kubectl runs the one that was found, or fails', () => {
    assert.equal(kubectlScript('C:\\a b\\kubectl.exe', 'win32'), '@echo off\r\n"C:\\a b\\kubectl.exe" %*\r\n')
    const none = kubectlScript(undefined, 'win32')
    assert.match(none, /^@echo off\r\necho binnacle envtest found no kubectl in PATH: [^\r\n<>|&^%]* 1>&2\r\nexit \/b 1\r\n$/)
  })
})
