/** Stands for node:test: collects the tests of one file, then runs them one after the other up to the first failure. */
// not by an import, which a hook turns to this file
export const { mock } = process.getBuiltinModule('node:test')

const suiteOf = parent => ({ parent, before: [], after: [], beforeEach: [], afterEach: [], children: [] })
let current = suiteOf()

export function collectAnew() {
  current = suiteOf()
  return current
}

const parse = args => ({
  name: args.find(arg => typeof arg === 'string') ?? '',
  options: args.find(arg => typeof arg === 'object' && arg !== null) ?? {},
  run: args.find(arg => typeof arg === 'function')
})

export function test(...args) {
  const { name, options, run } = parse(args)
  if (run && !options.skip && !options.todo) current.children.push({ name, run })
}
export const it = test

export function describe(...args) {
  const { options, run } = parse(args)
  if (!run || options.skip || options.todo) return
  const suite = suiteOf(current)
  current.children.push({ suite })
  current = suite
  try {
    run({ name: '' })
  } finally {
    current = suite.parent
  }
}
export const suite = describe
const nothing = () => {}
for (const f of [test, describe]) Object.assign(f, { skip: nothing, todo: nothing, only: f })

export const before = run => current.before.push(run)
export const after = run => current.after.push(run)
export const beforeEach = run => current.beforeEach.push(run)
export const afterEach = run => current.afterEach.push(run)
export default test

const chain = (suite, kind) => (suite ? [...chain(suite.parent, kind), ...suite[kind]] : [])

async function runTest({ name, run }, suite) {
  const cleanups = []
  const { signal } = new AbortController()
  const context = { name, after: f => cleanups.push(f), diagnostic: nothing, signal, skip: nothing, mock }
  try {
    for (const hook of chain(suite, 'beforeEach')) await hook(context)
    await run(context)
  } finally {
    mock.reset()
    for (const hook of [...cleanups, ...chain(suite, 'afterEach')]) await hook(context)
  }
}

/** Runs a suite; throws at the first failure, after the hooks that clean up. */
export async function runSuite(suite) {
  try {
    for (const hook of suite.before) await hook({})
    for (const child of suite.children) await (child.suite ? runSuite(child.suite) : runTest(child, suite))
  } finally {
    for (const hook of suite.after) await hook({})
  }
}
