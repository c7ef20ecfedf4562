import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Container, Pod } from '../../../apimachinery/api/generated/core-v1.js'
import { isShell, understoodLine } from './commands.js'

const container: Container = { name: 'c', resources: {}, env: [{ name: 'NAME', value: 'web' }] }
const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'web',
    namespace: 'shop',
    uid: 'u1',
    annotations: { 'simulate.binnacle.dev/exec': '{"psql -l": "list\\n"}' }
  },
  spec: { containers: [container] },
  status: { phase: 'Running', qosClass: 'BestEffort' }
}

test('a shell is a shell, and so is a script that comes to one, as programs have it', () => {
  for (const command of [
    ['sh'],
    ['/bin/bash', '-l'],
    ['sh', '-c', 'bash'],
    ['sh', '-c', 'command -v bash >/dev/null && exec bash || exec sh'],
    ['sh', '-c', 'clear; (bash || ash || sh)'],
    ['/bin/sh', '-c', 'TERM=xterm; export TERM; [ -x /bin/bash ] && exec /bin/bash -l || exec /bin/sh\n']
  ])
    assert.ok(isShell(command), command.join(' '))
  for (const command of [
    [],
    ['nginx'],
    ['sh', 'script.sh'],
    ['sh', '-c'],
    ['sh', '-c', ''],
    ['sh', '-c', 'cat script | sh'],
    ['sh', '-c', 'sh script.sh'],
    ['sh', '-c', 'bash || nginx'],
    ['sh', '-c', 'sh -c'],
    ['nginx', '-c', 'sh']
  ])
    assert.ok(!isShell(command), command.join(' '))
})

test('a line of a shell is a command that was declared, or a script', () => {
  const does = (line: string) => {
    const result = understoodLine(pod, container, line)
    return result && [result.stdout, result.exitCode, result.endsShell ?? false]
  }
  assert.deepEqual(does(' psql  -l '), ['list\n', 0, false])
  assert.deepEqual(does('echo hi; echo "a  b" $NAME'), ['hi\na  b web\n', 0, false])
  assert.deepEqual(does('echo hi; exit 3'), ['hi\n', 3, true])
  assert.deepEqual(does('false || exec true'), ['', 0, true])
  assert.deepEqual(does('false && exit 3'), ['', 1, false])
  assert.equal(does('echo a | cat'), undefined)
})
