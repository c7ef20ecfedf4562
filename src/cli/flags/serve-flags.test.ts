import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Flags } from '../../server/options/flag.js'
import { knownFlags } from './generated/known-flags.js'
import { flagsHelp } from './help.js'
import { serveFlags, serveSections } from './serve-flags.js'

const shown = Object.entries(serveFlags as Flags).flatMap(([name, { isHidden }]) => (isHidden ? [] : [name]))

describe('flags of binnacle serve', () => {
  it('are those of kube-apiserver, plus a few of our own', () => {
    const known = new Set(Object.values(knownFlags).flatMap(Object.keys))
    assert.deepEqual(shown.filter(name => !known.has(name)).sort(), [
      'api-groups',
      'backup-bucket',
      'backup-folder',
      'backup-keep',
      'backup-schedule',
      'config',
      'console',
      'controllers',
      'data-dir',
      'history',
      'history-size',
      'kubeconfig-out',
      'node-capacity',
      'nodes',
      'recorder',
      'resolve-service',
      'simulate',
      'snapshot',
      'stdio',
      'test-api',
      'validate-config',
      'workers'
    ])
  })

  it("are in kube-apiserver's sections", () => {
    for (const [name, { section }] of Object.entries(serveFlags)) {
      if (section === 'Storage') continue
      const original = Object.entries(knownFlags).find(([, flags]) => Object.hasOwn(flags, name))?.[0] ?? section
      assert.equal(section, original, name)
    }
  })

  it('are each listed once in the help, in lines that fit', () => {
    const help = flagsHelp(serveFlags, serveSections, 80)
    // as the address of a page
    const isOneWord = (line: string): boolean => /^ *\S+$/.test(line)
    for (const line of help.split('\n')) assert.ok(line.length <= 80 || line.includes(' --') || isOneWord(line), line)
    for (const name of shown) assert.equal(help.match(new RegExp(`^  (?:-., |    )--${name}( |$)`, 'gm'))?.length, 1, name)
  })

  it('show their defaults in the help as pflag does', () => {
    const help = flagsHelp(serveFlags, serveSections, 100)
    for (const line of [
      '      --secure-port int     (default 6443)',
      '      --bind-address ip     (default "127.0.0.1")',
      '      --authorization-mode strings     (default Node,RBAC)',
      '      --token-auth-file string',
      '  -v, --v Level',
      '  -h, --help'
    ]) {
      assert.ok(help.includes(`\n${line}\n`), line)
    }
  })
})
