import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Container, Pod } from '../../apimachinery/api/generated/core-v1.js'
import { behaviorsOf } from './behavior.js'
import { commandOf, environmentOf } from './environment.js'
import { resultOf } from './known-commands.js'

const environment = new Map([
  ['NAME', 'web'],
  ['CODE', '7'],
  ['WORDS', 'a b'],
  ['HOSTNAME', 'web-0'],
  ['LONG', 'x'.repeat(1000)]
])

const container = (fields: Partial<Container>): Container => ({ name: 'c', resources: {}, ...fields })

/** What a command does, in short: how it ends, after how many milliseconds, and what it prints. */
function done(...command: string[]): string {
  const result = resultOf(command, environment)
  return result ? [result.exitCode, result.lasts, JSON.stringify(result.stdout)].join(' ') : 'unknown'
}

const inShell = (script: string) => done('sh', '-c', script)

describe('known commands', () => {
  test('take time, print and end', () => {
    assert.equal(done('true'), '0 0 ""')
    assert.equal(done('/bin/true'), '0 0 ""')
    assert.equal(done('/usr/bin/false'), '1 0 ""')
    assert.equal(done('sleep', '5'), '0 5000 ""')
    assert.equal(done('sleep', '1.5', '2m', '1h', '1d'), '0 90121500 ""')
    assert.equal(done('sleep', 'infinity'), '0 Infinity ""')
    assert.equal(done('echo', 'hello', 'there'), '0 0 "hello there\\n"')
    assert.equal(done('echo', '-n', 'hello'), '0 0 "hello"')
    assert.equal(done('hostname'), '0 0 "web-0\\n"')
    assert.match(done('env'), /NAME=web\\nCODE=7/)
  })

  test('are those whose whole effect is known', () => {
    for (const command of [
      ['nginx'],
      ['/opt/bin/true'],
      ['./true'],
      ['sleep'],
      ['sleep', '5x'],
      ['sleep', '-1'],
      ['exit', '1'],
      ['echo', '-e', 'a'],
      ['echo', 'a\\n'],
      ['hostname', '-f'],
      ['env', 'A=1', 'nginx'],
      ['sh'],
      ['sh', 'script.sh'],
      ['sh', '-ec', 'true'],
      []
    ])
      assert.equal(done(...command), 'unknown', command.join(' '))
  })

  test('follow each other in scripts', () => {
    assert.equal(inShell(''), '0 0 ""')
    assert.equal(inShell('exit 3'), '3 0 ""')
    assert.equal(inShell('exit 256'), '0 0 ""')
    assert.equal(inShell('false; exit'), '1 0 ""')
    assert.equal(inShell('exit $CODE'), '7 0 ""')
    assert.equal(inShell(`sleep 1; sleep \${CODE}`), '0 8000 ""')
    assert.equal(inShell('sleep 2 && exit 1; echo never'), '1 2000 ""')
    assert.equal(inShell('\n  echo one\n\n  false &&\n echo two || echo "three $NAME" \n'), '0 0 "one\\nthree web\\n"')
    assert.equal(inShell('false && sleep 5'), '1 0 ""')
    assert.equal(inShell('true || sleep 5'), '0 0 ""')
    assert.equal(inShell('echo \'$NAME; exit 1\' "a  b"c'), '0 0 "$NAME; exit 1 a  bc\\n"')
    assert.equal(inShell('echo $NAME-$CODE'), '0 0 "web-7\\n"')
    assert.equal(inShell('echo ready; exec sleep infinity; exit 1'), '0 Infinity "ready\\n"')
    assert.equal(done('/bin/bash', '-c', 'exit 2'), '2 0 ""')
  })

  test('make a script that is understood whole or not at all', () => {
    for (const script of [
      'nginx',
      'echo a | cat',
      'echo a > /tmp/a',
      'sleep 5 & wait',
      'exit $(( 1 + 1 ))',
      'exit $(cat code)',
      'exit `cat code`',
      'echo "`date`"',
      'if true; then exit 1; fi',
      'while true; do sleep 1; done',
      'A=1 true',
      '! true',
      'echo *',
      'echo ~',
      'echo a # comment',
      'echo $MISSING',
      'echo "$MISSING"',
      'echo $WORDS',
      'echo $?',
      'echo "a',
      "echo 'a",
      '; true',
      'true &&',
      'true ;; true',
      '&& true',
      'exit 1 2',
      'exit now',
      'exec exit 1'
    ])
      assert.equal(inShell(script), 'unknown', script)
  })

  test('print no more than a bounded text', () => {
    assert.equal(inShell('echo $LONG;'.repeat(100)), 'unknown')
    assert.equal(inShell(`echo "${'$LONG'.repeat(100_000)}"`), 'unknown')
    assert.equal(inShell(`${'env;'.repeat(100_000)}`), 'unknown')
    const grown = container({ command: ['echo', '$(LONG)'.repeat(100_000)] })
    assert.equal(commandOf(grown, environment), undefined)
  })
})

describe('the environment of a container', () => {
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop', uid: 'u1', labels: { app: 'a' }, annotations: { index: '4' } },
    spec: { nodeName: 'node-0', containers: [] },
    status: { phase: 'Pending', qosClass: 'BestEffort' }
  }
  const field = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath } } })
  const withVariables = container({
    env: [
      { name: 'PLAIN', value: 'p' },
      { name: 'EMPTY' },
      field('INDEX', "metadata.annotations['index']"),
      field('NONE', "metadata.labels['constructor']"),
      field('WHERE', 'metadata.namespace'),
      field('NODE', 'spec.nodeName'),
      field('LATER', 'status.podIP'),
      { name: 'SECRET', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }
    ]
  })
  const known = environmentOf(pod, withVariables)

  test('has what its Pod says', () => {
    const { PATH, ...rest } = Object.fromEntries(known)
    assert.ok(PATH)
    assert.deepEqual(rest, { HOSTNAME: 'web', PLAIN: 'p', EMPTY: '', INDEX: '4', NONE: '', WHERE: 'shop', NODE: 'node-0' })
  })

  test('is used in the command', () => {
    const words = (...args: string[]) => commandOf(container({ command: ['echo'], args }), known)
    assert.deepEqual(words('$(INDEX)', 'a$(PLAIN)b', '$$(PLAIN)', '$PLAIN'), ['echo', '4', 'apb', '$(PLAIN)', '$PLAIN'])
    assert.equal(words('$(SECRET)'), undefined)
    assert.equal(words('$(constructor)'), undefined)
    assert.deepEqual(commandOf(container({ args: ['false'] }), known), ['false'])
    assert.equal(commandOf(container({}), known), undefined)
  })

  test('and annotations come before the command', () => {
    const behaviorOf = behaviorsOf()
    const declared = (annotations: Record<string, string>, command = ['sh', '-c', 'echo no; sleep 5; exit 3']) => {
      const annotated = { ...pod, metadata: { ...pod.metadata, annotations } }
      const { exitsAfter, exitCode, logs } = behaviorOf(annotated, container({ command }), 'main')
      return [exitsAfter, exitCode, logs]
    }
    assert.deepEqual(declared({}), [5000, 3, 'no\n'])
    assert.deepEqual(declared({ 'simulate.binnacle.dev/exits-after': '1m' }), [60_000, 3, 'no\n'])
    assert.deepEqual(declared({ 'simulate.binnacle.dev/exits-after': 'never' }), [undefined, 3, 'no\n'])
    assert.deepEqual(declared({ 'c.simulate.binnacle.dev/exit-code': '0', 'simulate.binnacle.dev/logs': 'yes' }), [
      5000,
      0,
      'yes'
    ])
    assert.deepEqual(declared({}, ['sleep', 'infinity']), [undefined, 0, ''])
    assert.deepEqual(declared({}, ['nginx']), [undefined, 0, ''])
  })

  test('images that wait do so in a Job, too', () => {
    const controller = { apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'j1', controller: true }
    const ofJob = { ...pod, metadata: { ...pod.metadata, ownerReferences: [controller] } }
    const lasts = (image: string, fields: Partial<Container> = {}) =>
      behaviorsOf()(ofJob, container({ image, ...fields }), 'main').exitsAfter
    assert.equal(lasts('registry.k8s.io/pause:3.10'), undefined)
    assert.equal(lasts('registry.k8s.io/e2e-test-images/agnhost:2.53'), undefined)
    assert.equal(lasts('agnhost', { args: ['pause'] }), undefined)
    assert.equal(lasts('agnhost', { args: ['true'] }), 0)
    assert.equal(lasts('agnhost', { args: ['entrypoint-tester'] }), 1000)
    assert.equal(lasts('agnhost', { command: ['pause'] }), 1000)
    assert.equal(lasts('example.com/pause/nginx'), 1000)
    assert.equal(lasts('pauses'), 1000)
  })

  test('hooks and probes run commands, too', () => {
    const lifecycle = (preStop: object) => behaviorsOf()(pod, container({ lifecycle: { preStop } }), 'main').stopsAfter
    assert.equal(lifecycle({ sleep: { seconds: 7 } }), 7000)
    assert.equal(lifecycle({ exec: { command: ['sh', '-c', 'sleep $(( 1 ))'] } }), 0)
    assert.equal(lifecycle({ exec: { command: ['/bin/sh', '-c', 'sleep 15'] } }), 15_000)
    const ready = (...command: string[]) =>
      behaviorsOf()(pod, container({ readinessProbe: { exec: { command } } }), 'main').isReady
    assert.deepEqual(
      [ready('true'), ready('false'), ready('sh', '-c', 'exit 2'), ready('pg_isready')],
      [true, false, false, true]
    )
    const declared = { ...pod, metadata: { ...pod.metadata, annotations: { 'simulate.binnacle.dev/ready': 'true' } } }
    assert.equal(behaviorsOf()(declared, container({ readinessProbe: { exec: { command: ['false'] } } }), 'main').isReady, true)
  })
})
