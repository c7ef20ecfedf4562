/** The figures of README.md, docs/ and test/conformance/ that recorded answers give: whoever records or mends a step changes them, too. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const root = new URL('../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')
const recordings = 'test/conformance/recordings/'
const shown = (count: number): string => count.toLocaleString('en')

const skip = existsSync(new URL(recordings, root)) ? false : 'the recorded answers are in the repository only'

const requiredSteps = (): [scenario: string, steps: string[]][] =>
  Object.entries(JSON.parse(read('test/conformance/required.json')) as Record<string, string[]>)
const sumOf = (scenarios: [string, string[]][]): number => scenarios.reduce((sum, [, steps]) => sum + steps.length, 0)

test('README.md says how many recorded steps there are, and how many have to match', { skip }, () => {
  const names = readdirSync(new URL(recordings, root))
  const steps = names.flatMap(name => Object.keys(JSON.parse(read(recordings + name)))).length
  const required = sumOf(requiredSteps())
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

test('pages say how many steps are required, and how many of them any server can play', { skip }, async () => {
  const scenarios = requiredSteps()
  const needsSetup = async (name: string): Promise<boolean> =>
    (await import(new URL(`test/conformance/scenarios/${name}.mjs`, root).href)).default.server !== undefined
  const withSetup = await Promise.all(scenarios.map(([name]) => needsSetup(name)))
  const figures = [sumOf(scenarios), sumOf(scenarios.filter((_, i) => !withSetup[i]))].map(shown)
  const pages = readdirSync(new URL('docs/', root)).filter(name => name.endsWith('.md'))
  const found = pages.flatMap(name =>
    [...read(`docs/${name}`).matchAll(/([\d,]+) (?:of the [\d,]+ )?(?:required|recorded) (?:steps|answers)/g)].map(([text]) => ({
      name,
      text
    }))
  )
  assert.ok(found.length > 0, 'no page of docs/ has such a figure: this test looks for other words than they use')
  for (const { name, text } of found)
    assert.ok(
      figures.some(figure => text.includes(`${figure} re`)),
      `docs/${name} says "${text}"; ${figures.join(' or ')} are right`
    )
})
