/** The figures of README.md and test/conformance/ that recorded answers give: whoever records or mends a step changes them, too. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const root = new URL('../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')
const recordings = 'test/conformance/recordings/'
const shown = (count: number): string => count.toLocaleString('en')

const skip = existsSync(new URL(recordings, root)) ? false : 'the recorded answers are in the repository only'

test('README.md says how many recorded steps there are, and how many have to match', { skip }, () => {
  const names = readdirSync(new URL(recordings, root))
  const steps = names.flatMap(name => Object.keys(JSON.parse(read(recordings + name)))).length
  const required = Object.values(JSON.parse(read('test/conformance/required.json')) as Record<string, string[]>).flat().length
  const readme = read('README.md').replaceAll(/\s+/g, ' ')
  const figures = [
    `of ${shown(steps)} recorded answers of kube-apiserver 1.37.2, ${shown(required)} match`,
    `replays ${names.length} recorded scenarios`,
    `Of ${shown(steps)} steps, ${shown(required)} match in every run`
  ]
  for (const figure of figures) assert.ok(readme.includes(figure), `README.md should say: ${figure}`)
  const page = `${names.length} scenarios with ${shown(steps)} steps`
  assert.ok(read('test/conformance/README.md').includes(page), `test/conformance/README.md should say: ${page}`)
})
