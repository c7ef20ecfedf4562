// Packs the package and uses it as its users will: checks contents, package linters, a strict TypeScript project and the command.
//   node scripts/release/package.mjs
//   node scripts/release/package.mjs --tarball=FILE   a package that is packed already
// Needs no network, because dependencies come from node_modules.
import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import nodeModule, { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { parseOptions } from '../shared/options.mjs'
import { bundlers } from './bundlers.mjs'
import { makeExecutable } from './executable.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
let { tarball } = parseOptions({ options: { tarball: { type: 'string' } } }).values
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'binnacle-package-')))
const project = join(folder, 'project')
const installed = join(project, 'node_modules/binnacle')
const { dependencies, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Runs a command that has to succeed, and returns what it printed. */
function run(command, args, cwd, env = process.env) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8', maxBuffer: 2 ** 26 })
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${stdout}${stderr}`)
  return stdout
}
const tool = (name, args, cwd) => run(process.execPath, [join(root, 'node_modules', name), ...args], cwd)

/** Returns where a package is that is no dependency of this one, or undefined. */
function findPackage(name) {
  try {
    return createRequire(import.meta.url).resolve(name)
  } catch {
    return undefined
  }
}

const sizeOf = folder =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath ?? entry.path, entry.name)).size, 0)

/** Options of the compiler in the projects of users who want to know all. */
const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--skipLibCheck', 'false']
const modules = ['--target', 'es2023', '--module', 'nodenext']

/** Of types, for the programs of test/package/; there were 63,000 when this was written. */
const mostInstantiations = 90_000

const checks = {
  'holds what users need, and no more'() {
    if (tarball === undefined) {
      const [packed] = JSON.parse(run('npm', ['pack', '--json', `--pack-destination=${folder}`], root))
      tarball = join(folder, packed.filename)
    }
    const paths = run('tar', ['tzf', tarball], folder)
      .trimEnd()
      .split(/\r?\n/)
      .map(path => path.replace(/^package\//, ''))
    for (const needed of [
      'dist/index.js',
      'dist/index.d.ts',
      'dist/testing.js',
      'dist/testing.d.ts',
      'dist/cli/main.js',
      'LICENSE',
      'README.md',
      'CHANGELOG.md',
      'deploy/binnacle.service',
      'deploy/kubernetes/lmdb/statefulset.yaml',
      'deploy/monitoring/rules.yaml'
    ])
      assert.ok(paths.includes(needed), `${needed} is missing`)
    const odd = /\.test\.|\.stamp|^(src|build|test|scripts)\/|\/testing\//
    assert.deepEqual(
      paths.filter(path => odd.test(path)),
      []
    )
  },

  'has pages whose links work'() {
    mkdirSync(installed, { recursive: true })
    run('tar', ['xzf', tarball, '-C', installed, '--strip-components=1'])
    for (const [, link] of readFileSync(join(installed, 'README.md'), 'utf8').matchAll(/\]\(([^)]+)\)/g))
      assert.ok(/^https:/.test(link) || existsSync(join(installed, link.replace(/#.*/, ''))), `README.md links to ${link}`)
  },

  'has one copy of each package: what the bundle holds is no dependency, and the other way round'() {
    const bundled = [...readFileSync(join(installed, 'dist/bundle/LICENSES.txt'), 'utf8').matchAll(/^([\w@/-]+)@\d[\w.-]*$/gm)]
    assert.ok(bundled.length > 0)
    assert.deepEqual(
      bundled.map(([, name]) => name).filter(name => name in dependencies),
      []
    )
  },

  'takes at most 45 MB when it is installed, with its dependencies'() {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    const needed = Object.entries(packages).filter(
      ([path, entry]) => path !== '' && !entry.dev && !entry.devOptional && !entry.peer
    )
    const folders = needed.map(([path]) => join(root, path)).filter(path => existsSync(path))
    assert.ok(folders.length > 5 && folders.length < 40, `${folders.length} packages`)
    const sizes = [installed, ...folders].map(folder => [
      folder.slice(folder.lastIndexOf('node_modules/')),
      sizeOf(folder) / 2 ** 20
    ])
    const total = sizes.reduce((sum, [, size]) => sum + size, 0)
    console.log(`      ${total.toFixed(1)} MB in ${sizes.length} packages`)
    assert.ok(total < 45, `${total} MB:\n${sizes.map(([name, size]) => `${name} ${size.toFixed(1)}`).join('\n')}`)
  },

  'has source maps that carry their sources, and name nothing of this machine'() {
    let maps = 0
    for (const name of readdirSync(join(installed, 'dist'), { recursive: true })) {
      if (!/\.(c?js)$/.test(name)) continue
      const code = readFileSync(join(installed, 'dist', name), 'utf8')
      assert.ok(!code.includes(root), `${name} names ${root}`)
      const [, map] = /\/\/# sourceMappingURL=(.*)/.exec(code) ?? []
      if (map === undefined) continue
      maps++
      const { sources, sourcesContent } = JSON.parse(readFileSync(join(installed, 'dist', dirname(name), map), 'utf8'))
      const odd = sources.filter((source, index) => !source.startsWith('../') || !sourcesContent?.[index])
      assert.deepEqual(odd, [], map)
    }
    assert.ok(maps > 100, `${maps} source maps`)
  },

  'passes publint'() {
    tool('publint/src/cli.js', ['run', tarball, '--strict'])
  },

  'passes "are the types wrong?"'() {
    tool('@arethetypeswrong/cli/dist/index.js', [tarball, '--profile', 'esm-only', '--no-emoji'])
  },

  'types: what is declared beside what is exported are plain types'() {
    for (const entry of ['index', 'testing']) {
      const types = readFileSync(join(installed, `dist/${entry}.d.ts`), 'utf8')
      const lists = [...types.matchAll(/^export \{([^}]*)\}/gm)].map(([, names]) => names)
      const exported = new Set(lists.flatMap(names => names.split(',')).map(name => name.trim()))
      const classes = [...types.matchAll(/^declare (?:abstract )?class (\w+)/gm)].map(([, name]) => name)
      // A class brings everything with it that it is made of: a public type that leads to one would show the inside of the
      // server.
      assert.deepEqual(
        classes.filter(name => !exported.has(name)),
        [],
        `binnacle/${entry}`
      )
    }
  },

  'documents every export, with an example'() {
    const names = ['index', 'testing'].flatMap(entry => {
      const types = readFileSync(join(installed, `dist/${entry}.d.ts`), 'utf8')
      const comments = new Map(
        [
          ...types.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n(?:declare )?(?:class|function|const|interface|type) ([\w$]+)/g)
        ].map(([, comment, name]) => [name, comment])
      )
      // what another entry exports is documented there
      const exported = [...types.matchAll(/^export (?:type )?\{([^}]*)\}(?! from)/gm)].flatMap(([, names]) => names.split(','))
      return exported.map(name => {
        const [declared] = name.replace('type ', '').trim().split(' as ')
        return { name, documented: comments.get(declared)?.includes('@example') }
      })
    })
    assert.ok(names.some(({ name }) => name.includes('createServer')) && names.some(({ name }) => name.includes('useServer')))
    assert.deepEqual(
      names.filter(({ documented }) => !documented).map(({ name }) => name),
      []
    )
  },

  'compiles in a strict project, and serves in a process of its own'() {
    for (const name of Object.keys(dependencies)) {
      const link = join(project, 'node_modules', name)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(join(root, 'node_modules', name), link)
    }
    writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }\n')
    const consumers = ['consumer.ts', 'test-kit.ts']
    for (const name of consumers) writeFileSync(join(project, name), readFileSync(join(root, 'test/package', name)))
    const report = tool('typescript/bin/tsc', [...strict, ...modules, ...consumers, '--extendedDiagnostics'], project)
    const figure = name => Number(new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(report)[1])
    // an editor does this work at each change; the number is the same on every machine
    const instantiations = figure('Instantiations')
    console.log(`      types: ${instantiations} instantiations, checked in ${figure('Check time')} s`)
    assert.ok(instantiations < mostInstantiations, `the types take ${instantiations} instantiations`)
    run(process.execPath, ['consumer.js'], project)
    // a test runner that reports to its parent prints nothing
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    run(process.execPath, ['--test', 'test-kit.js'], project, env)
  },

  'is loaded by require, with types'() {
    const consumer = `import binnacle = require('binnacle')
      import client = require('binnacle/client')
      import operator = require('binnacle/operator')
      import testing = require('binnacle/testing')
      const server: binnacle.BinnacleServer = binnacle.createServer({ listen: false })
      const names: string[] = [client.connect.name, operator.runOperator.name, testing.useServer.name]
      void server.start().then(async () => {
        const pods = await server.client().of('v1', 'Pod').list({ namespace: 'default' })
        console.log(names.join(), pods.items.length)
        await server.stop()
      })`
    writeFileSync(join(project, 'required.cts'), consumer)
    tool('typescript/bin/tsc', [...strict, ...modules, 'required.cts'], project)
    assert.equal(run(process.execPath, ['required.cjs'], project), 'connect,runOperator,useServer 0\n')
  },

  'has stack traces that lead to the sources of this installation'() {
    const program = `import { createServer } from 'binnacle'
      try { createServer({ nosuch: 1 }) } catch (error) { console.log(error.stack) }`
    const stack = run(process.execPath, ['--enable-source-maps', '--input-type=module', '-e', program], project)
    const source = /\((.*)\/src\/server\/server\.ts:(\d+):\d+\)/.exec(stack)
    assert.equal(source?.[1], installed, stack)
    const lines = readFileSync(join(root, 'src/server/server.ts'), 'utf8').split('\n')
    assert.match(lines[source[2] - 1], /checkOptions\(/)
  },

  'can be bundled by esbuild, or says why not'() {
    const esbuild = findPackage('esbuild')
    if (!esbuild) return 'skipped: esbuild is not installed (NODE_PATH may name a folder that has it)'
    const { buildSync } = createRequire(import.meta.url)(esbuild)
    const bundled = entry => {
      const contents = `import * as all from '${entry}'
        console.log(typeof all.connect, typeof all.runOperator)
        // reads YAML, by a package that is loaded on demand
        all.connect?.({ kubeconfig: 'kind: Config\\n' }).catch(error => console.log(error.message))`
      const outfile = join(folder, 'bundled.cjs')
      buildSync({
        stdin: { contents, resolveDir: project },
        bundle: true,
        platform: 'node',
        outfile,
        logLevel: 'silent'
      })
      return run(process.execPath, [outfile], folder)
    }
    assert.match(bundled('binnacle/client'), /^function undefined\n.*current-context/)
    assert.equal(bundled('binnacle/operator'), 'undefined function\n')
    const reason = /binnacle cannot be bundled, because [^"]*--external:binnacle/
    assert.throws(() => bundled('binnacle'), reason)
    assert.throws(() => bundled('binnacle/testing'), reason)
  },

  async 'with one line each (docs/library.md), stays a package in what esbuild, rollup, vite and webpack bundle'() {
    const entry = join(project, 'bundled-server.mjs')
    writeFileSync(entry, readFileSync(join(root, 'test/package/bundled-server.mjs')))
    // what is not bundled is missed
    const part = join(project, 'bundled-part.mjs')
    writeFileSync(part, "export const part = 'bundled'\n")
    const outs = new Map()
    const missing = []
    for (const [name, bundle] of Object.entries(bundlers)) {
      const found = findPackage(name)
      if (!found) {
        missing.push(name)
        continue
      }
      const out = join(project, `bundled-by-${name}`)
      await bundle(await import(pathToFileURL(found)), entry, out)
      outs.set(name, out)
    }
    rmSync(part)
    for (const [name, out] of outs)
      assert.equal(run(process.execPath, [join(out, 'bundled-server.mjs')], project), 'bundled blue\n', name)
    if (missing.length > 0)
      console.log(`      not tried, because not installed (NODE_PATH may name a folder that has it): ${missing.join(', ')}`)
  },

  'has examples that run as they stand'() {
    const examples = join(installed, 'examples')
    for (const name of readdirSync(examples)) if (name.endsWith('.mjs')) run(process.execPath, [join(examples, name)], project)
  },

  'has a template whose project compiles, passes its tests and writes its manifests'() {
    const create = join(root, 'create-binnacle/main.mjs')
    const home = join(project, 'home')
    run(process.execPath, [create, 'home'], project)
    const refused = (args, message) => {
      const { status, stderr } = spawnSync(process.execPath, [create, ...args], { cwd: project, encoding: 'utf8' })
      assert.equal(status, 1)
      assert.match(stderr, message)
    }
    refused(['home'], /home is not empty/)
    refused(['Home'], /the name has up to 40 letters/)
    refused(['other', '--template=nosuch'], /there is no template nosuch; there are: operator/)
    assert.match(run(process.execPath, [create, '--help'], project), /npm create binnacle@latest NAME/)
    assert.equal(run(process.execPath, [create, '--version'], project), `create-binnacle ${version}\n`)
    assert.equal(JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).dependencies.binnacle, `^${version}`)
    tool('typescript/bin/tsc', [], home)
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const report = run(process.execPath, ['--test', '--test-reporter=tap', 'dist/operator.test.js'], home, env)
    assert.match(report, /^# pass 1$/m)
    // the manifests are there before anything is generated, and are what would be
    const manifests = () =>
      Object.fromEntries(readdirSync(join(home, 'config')).map(name => [name, readFileSync(join(home, 'config', name), 'utf8')]))
    const shipped = manifests()
    const { generate } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).scripts
    const [, args] = /binnacle (generate .*)$/.exec(generate)
    run(process.execPath, [join(installed, 'dist/cli/main.js'), ...args.split(' ')], home)
    assert.deepEqual(manifests(), shipped)
    assert.match(shipped['definitions.yaml'], /name: staticsites\.home\.example\.com/)
    assert.match(shipped['deployment.yaml'], /image: home:latest/)
    assert.match(readFileSync(join(home, 'README.md'), 'utf8'), /^# home$/m)
    // the sample is of the kind that the project defines, and valid
    const sample = `
      import { createServer } from 'binnacle'
      import { site } from './dist/site.js'
      const server = createServer({ listen: false, kinds: [site] })
      await server.start()
      const [{ spec }] = await server.client().apply('samples/site.yaml')
      console.log(spec.replicas)
      await server.stop()`
    assert.equal(run(process.execPath, ['--input-type=module', '--eval', sample], home), '2\n')
  },

  'asks for no package that it does not bring along or depend on'() {
    const { peerDependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    const known = { ...dependencies, ...peerDependencies }
    const bundle = join(installed, 'dist/bundle')
    const asked = readdirSync(bundle)
      .filter(name => name.endsWith('.cjs'))
      .flatMap(name => {
        const code = readFileSync(join(bundle, name), 'utf8').replace(/^void .*$/gm, '')
        return [...code.matchAll(/\brequire\('([^']+)'\)/g)].map(([, wanted]) => ({ name, wanted }))
      })
    assert.ok(asked.some(({ wanted }) => wanted === './packages/grpc-grpc-js.cjs'))
    const missing = asked.filter(({ wanted }) =>
      wanted.startsWith('.') ? !existsSync(join(bundle, wanted)) : !nodeModule.isBuiltin(wanted) && !(wanted in known)
    )
    assert.deepEqual(missing, [])
  },

  'loads packages on demand'() {
    const program = join(project, 'on-demand.mjs')
    writeFileSync(program, readFileSync(join(root, 'test/package/on-demand.mjs')))
    run(process.execPath, [program], project)
    const packages = join(installed, 'dist/bundle/packages')
    for (const name of readdirSync(packages)) {
      const exported = Object.keys(createRequire(import.meta.url)(join(packages, name)))
      assert.ok(exported.length > 0, name)
    }
  },

  async 'is a command'() {
    mkdirSync(join(project, 'node_modules/.bin'))
    symlinkSync('../binnacle/dist/cli/main.js', join(project, 'node_modules/.bin/binnacle'))
    const cache = join(folder, 'cache-of-command')
    const served = async () => {
      const env = { ...process.env, XDG_CACHE_HOME: cache, NODE_DISABLE_COMPILE_CACHE: undefined }
      const args = ['--no-install', 'binnacle', 'serve', '--secure-port=0']
      const child = spawn('npx', args, { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
      const ended = new Promise(resolve => child.once('close', resolve))
      let text = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', data => (text += data))
      while (!text.includes('kubectl get ns') && child.exitCode === null)
        await Promise.race([new Promise(resolve => child.stdout.once('data', resolve)), ended])
      if (child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
      await ended
      return text
    }
    assert.match(await served(), /serves the Kubernetes API at https:[\s\S]*kubectl get ns/)
    assert.ok(existsSync(join(project, '.binnacle/kubeconfig')))
    // Node 20 keeps no compiled code
    const kept = existsSync(cache) ? readdirSync(cache, { recursive: true }) : []
    assert.equal(kept.length > 3, 'enableCompileCache' in nodeModule, `kept: ${kept}`)
  },

  async 'is one file for those without Node.js'() {
    if (process.platform === 'win32') return 'not on Windows'
    const executable = makeExecutable({ tarball, out: folder, level: 1 })
    // all that is on the path of such a machine
    const path = join(folder, 'path')
    mkdirSync(path)
    for (const tool of ['uname', 'mkdir', 'mktemp', 'tail', 'tar', 'gzip', 'rm'])
      symlinkSync(run('sh', ['-c', `command -v ${tool}`], folder).trim(), join(path, tool))
    const home = join(folder, 'home')
    mkdirSync(home)
    const env = { PATH: path, HOME: home }
    // first starts at once
    const versions = await Promise.all([1, 2, 3].map(() => promisify(execFile)(executable, ['version'], { cwd: home, env })))
    for (const { stdout } of versions) assert.match(stdout, new RegExp(`^binnacle ${version} `))
    const cache = join(home, process.platform === 'darwin' ? 'Library/Caches' : '.cache', 'binnacle')
    assert.deepEqual(
      readdirSync(cache)
        .filter(name => name !== 'compiled')
        .map(name => name.replace(/[0-9a-f]{16}$/, '')),
      [`${version}-`]
    )
    const child = spawn(executable, ['serve', '--secure-port=0'], { cwd: home, env, stdio: ['ignore', 'pipe', 'ignore'] })
    const ended = once(child, 'close')
    for await (const data of child.stdout) if (String(data).includes('kubectl get ns')) break
    child.kill('SIGTERM')
    await ended
    assert.ok(existsSync(join(home, '.binnacle/kubeconfig')))

    const half = join(folder, 'half')
    writeFileSync(half, readFileSync(executable).subarray(0, 1_000_000), { mode: 0o755 })
    const { status, stderr } = spawnSync(half, ['version'], { encoding: 'utf8', env: { ...env, HOME: folder } })
    assert.equal(status, 1)
    assert.match(stderr, /binnacle: cannot unpack into .*: no space is left there, or this file is not whole\n$/)
    assert.deepEqual(readdirSync(join(folder, cache.slice(home.length))), [])
  },

  'writes the programs that envtest starts'() {
    const assets = run('npx', ['--no-install', 'binnacle', 'envtest', 'assets'], project).trimEnd()
    const { status, stderr } = spawnSync(join(assets, 'kube-apiserver'), ['--secure-prot=1'], { encoding: 'utf8' })
    assert.deepEqual([status, stderr], [1, 'kube-apiserver: unknown flag --secure-prot; did you mean --secure-port?\n'])
  }
}

let failed = false
for (const [name, check] of Object.entries(checks)) {
  try {
    const skipped = await check()
    console.log(`${skipped ? 'skip ' : 'ok   '} ${name}${skipped ? ` (${skipped})` : ''}`)
  } catch (error) {
    failed = true
    console.log(`FAIL  ${name}\n${error.message}`)
  }
}
rmSync(folder, { recursive: true })
process.exit(failed ? 1 : 0)
