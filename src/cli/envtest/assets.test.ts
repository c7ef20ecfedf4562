import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Assets, assetsFolder, defaultDirectory, writeAssets } from './assets.js'

let directory: string
before(() => {
  directory = mkdtempSync(join(tmpdir(), 'binnacle-assets-'))
})
after(() => rmSync(directory, { recursive: true }))

const linux = { platform: 'linux', arch: 'x64', env: {} } as const
const assetsIn = (name: string, more: Partial<Assets> = {}): Assets => ({
  node: process.execPath,
  main: join(directory, 'is not there/main.js'),
  directory: join(directory, name),
  flags: [],
  help: 'flags\n',
  ...more
})

describe('the folder of binnacle envtest', () => {
  it("has setup-envtest's layout, with Go's names of platforms", () => {
    assert.match(assetsFolder(linux), /^k8s\/1\.\d+\.\d+-linux-amd64$/)
    assert.match(assetsFolder({ platform: 'darwin', arch: 'arm64', env: {} }), /-darwin-arm64$/)
    assert.match(assetsFolder({ platform: 'win32', arch: 'x64', env: {} }), /-windows-amd64$/)
  })

  it("is in the user's cache, and another one for other contents", () => {
    const of = (env: Record<string, string>, contents: string[] = [], platform: NodeJS.Platform = 'linux') =>
      defaultDirectory('1.2.3', contents, { platform, arch: 'x64', env })
    assert.match(of({ XDG_CACHE_HOME: '/cache' }), /^\/cache\/binnacle\/envtest\/1\.2\.3-[0-9a-f]{8}$/)
    assert.match(of({ XDG_CACHE_HOME: 'relative' }), /\/\.cache\/binnacle\/envtest\//)
    assert.match(of({ LOCALAPPDATA: 'C:\\Local' }, [], 'win32'), /^C:\\Local\\binnacle\\envtest\\1\.2\.3-/)
    assert.match(of({}, [], 'darwin'), /\/Library\/Caches\/binnacle\/envtest\//)
    assert.notEqual(of({}, ['a']), of({}, ['b']))
  })

  it('links the kubectl in PATH, but not its own', () => {
    const path = join(directory, 'bin')
    mkdirSync(path, { recursive: true })
    writeFileSync(join(path, 'kubectl'), '#!/bin/sh\n')
    chmodSync(join(path, 'kubectl'), 0o755)
    const assets = assetsIn('linked')
    const own = join(assets.directory, assetsFolder(linux))
    for (let round = 0; round < 2; round++) {
      const folder = writeAssets(assets, { ...linux, env: { PATH: `/nowhere:${own}:${path}` } })
      assert.equal(folder, own)
      assert.equal(readlinkSync(join(folder, 'kubectl')), join(path, 'kubectl'))
    }
    assert.deepEqual(readdirSync(own).sort(), ['etcd', 'kube-apiserver', 'kube-apiserver.help', 'kubectl'])
  })

  it('has a kubectl that says that there is none', { skip: process.platform === 'win32' }, () => {
    const folder = writeAssets(assetsIn('none'), linux)
    const { status, stderr } = spawnSync(join(folder, 'kubectl'), ['version'], { encoding: 'utf8' })
    assert.equal(status, 1)
    assert.match(stderr, /^binnacle envtest found no kubectl in PATH: /)
  })

  it('has programs that say when Binnacle is gone, and that show the flags at once', {
    skip: process.platform === 'win32'
  }, () => {
    const program = join(writeAssets(assetsIn("gone's"), linux), 'kube-apiserver')
    const gone = spawnSync(program, ['--secure-port=1'], { encoding: 'utf8' })
    assert.equal(gone.status, 1)
    const isGone = /^kube-apiserver: (.*) is not there any more; run 'binnacle envtest' again\n$/
    assert.match(isGone.exec(gone.stderr)?.[1] ?? '', /is not there\/main\.js$/)
    const withoutNode = join(writeAssets(assetsIn('without node', { node: '/nowhere/node' }), linux), 'etcd')
    assert.match(spawnSync(withoutNode, { encoding: 'utf8' }).stderr, /^etcd: \/nowhere\/node is not there any more; /)
    assert.equal(spawnSync(program, ['--help'], { encoding: 'utf8' }).stdout, 'flags\n')
  })

  it('keeps programs that are as they should be: a test may be running them', () => {
    const program = join(writeAssets(assetsIn('kept'), linux), 'kube-apiserver')
    const { ino } = statSync(program)
    writeAssets(assetsIn('kept'), linux)
    assert.equal(statSync(program).ino, ino)
    writeAssets(assetsIn('kept', { flags: ['--controllers=*'] }), linux)
    assert.notEqual(statSync(program).ino, ino)
    assert.ok(readFileSync(program, 'utf8').includes(`"$PPID" '--controllers=*' "$@"`))
  })

  it('has scripts for cmd.exe on Windows', () => {
    const folder = writeAssets(assetsIn('windows'), { platform: 'win32', arch: 'x64', env: {} })
    assert.deepEqual(readdirSync(folder).sort(), ['etcd.cmd', 'kube-apiserver.cmd', 'kube-apiserver.help', 'kubectl.cmd'])
    const text = readFileSync(join(folder, 'kube-apiserver.cmd'), 'utf8')
    assert.match(text, /^@echo off\r\n/)
    assert.match(text, /"envtest-program" "kube-apiserver" "0" %\*\r\n$/)
  })
})
