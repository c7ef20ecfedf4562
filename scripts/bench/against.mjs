#!/usr/bin/env node
// Measures this build beside that of another commit: the same workload (../shared/bench/bench.mjs) against both in turn, in several rounds, so that what else the
// machine does hits both. Prints the median of each figure and how much better or worse this build is, and fails when a figure is worse beyond the noise of its rounds.
//
//   npm run bench -- --against=COMMIT [--rounds=5] [--pods=2000] [--seconds=2] [--worse=5]
//
// A figure is worse when its median is so by more than `--worse` percent, and at least three quarters of the pairs of rounds say so. p99 needs twice as much.
// The other commit is built in a temporary folder, with the packages of this one.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseOptions } from '../shared/options.mjs'
import { figures, median } from './figures.mjs'
import { makeFolder, startServer, token } from './server.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const workload = process.env.BENCH ?? path.join(root, '../shared/bench/bench.mjs')
const text = { type: 'string' }
const { values: options } = parseOptions({
  options: {
    against: text,
    rounds: { ...text, default: '5' },
    pods: { ...text, default: '2000' },
    seconds: { ...text, default: '2' },
    worse: { ...text, default: '5' }
  }
})
if (!options.against) throw new Error('--against=COMMIT names the commit to compare with')
if (!fs.existsSync(workload)) throw new Error(`no workload at ${workload}; BENCH names another place`)

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const commit = git('rev-parse', '--short', '--verify', `${options.against}^{commit}`)
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'binnacle-against-'))
const other = path.join(folder, 'other')
git('worktree', 'add', '--detach', other, commit)
let worse = []
try {
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(other, 'node_modules'))
  execFileSync('npm', ['run', 'build'], { cwd: other, stdio: ['ignore', 'ignore', 'inherit'] })
  const builds = [
    { name: commit, dist: path.join(other, 'dist'), results: [] },
    { name: 'this build', dist: path.join(root, 'dist'), results: [] }
  ]
  for (let round = 0; round < Number(options.rounds); round++) {
    // whoever comes second finds a warmer machine
    for (const build of round % 2 ? builds.toReversed() : builds) {
      process.stderr.write(`round ${round + 1}: ${build.name}\n`)
      build.results.push(await measure(build.dist))
    }
  }
  worse = print(...builds)
} finally {
  git('worktree', 'remove', '--force', other)
  fs.rmSync(folder, { recursive: true, force: true })
}
if (worse.length > 0) {
  console.log(`\nworse than ${commit}: ${worse.join('; ')}`)
  process.exitCode = 1
}

async function measure(dist) {
  const own = makeFolder('against')
  const server = await startServer(own, { dist })
  try {
    const args = ['--server', server.url, '--token', token, '--pid', String(server.pid)]
    const sizes = ['--pods', options.pods, '--seconds', options.seconds]
    return JSON.parse(
      execFileSync(process.execPath, [workload, ...args, ...sizes], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
    )
  } finally {
    await server.stop()
    fs.rmSync(own, { recursive: true, force: true })
  }
}

/** Returns the titles of the figures that are worse. */
function print(before, now) {
  const found = []
  console.log(`| | ${before.name} | ${now.name} | better by | pairs that are worse |\n| --- | ---: | ---: | ---: | ---: |`)
  for (const { title, of, less } of figures) {
    const [old, present] = [before, now].map(({ results }) => results.map(of))
    // above 1: this build is better
    const ratios = old.map((value, round) => (less ? value / present[round] : present[round] / value))
    const gain = (median(ratios) - 1) * 100
    const losses = ratios.filter(ratio => ratio < 1).length
    const bound = Number(options.worse) * (title.includes('p99') ? 2 : 1)
    const isWorse = gain < -bound && losses >= ratios.length * 0.75
    if (isWorse) found.push(`${title} by ${(-gain).toFixed(1)} %`)
    console.log(
      `| ${title} | ${median(old)} | ${median(present)} | ${gain.toFixed(1)} %${isWorse ? ' (!)' : ''} | ${losses} of ${ratios.length} |`
    )
  }
  return found
}
