// Runs the examples of the test API in other languages on `binnacle serve --test-api`. Says so where a toolchain is missing.
//   node scripts/test/test-api.mjs
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const quoted = text => `'${text.replaceAll("'", "'\\''")}'`
const env = { ...process.env, BINNACLE: [process.execPath, join(root, 'dist/cli/main.js')].map(quoted).join(' ') }
/** `probe` fails where the example cannot run. */
const examples = [
  {
    language: 'Python',
    probe: ['python3', ['--version']],
    run: ['python3', ['-B', '-m', 'unittest', 'discover', '-s', 'examples/test-api-python', '-v']]
  },
  {
    language: 'Go (with the modules of examples/test-api-go, or a network to fetch them)',
    probe: ['go', ['-C', 'examples/test-api-go', 'mod', 'download'], { timeout: 120_000 }],
    run: ['go', ['-C', 'examples/test-api-go', 'test', '-count=1', '-v', './...']]
  },
  {
    language: 'Java from version 17 on',
    probe: ['java', ['--version']],
    run: ['java', ['examples/test-api-java/Courses.java']]
  }
]

for (const { language, probe, run } of examples) {
  const [command, args, more] = probe
  if (spawnSync(command, args, { cwd: root, stdio: 'ignore', ...more }).status !== 0) {
    console.log(`skipped: there is no ${language}`)
    continue
  }
  const { status } = spawnSync(...run, { cwd: root, env, stdio: 'inherit', timeout: 300_000 })
  if (status !== 0) process.exitCode = 1
}
