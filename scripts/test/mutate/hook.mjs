/** Hands Node the changed modules, and a test runner that can run the same file again and again. */
let texts
let runner

export function initialize(data) {
  texts = data.texts
  runner = data.runner
}

export function resolve(specifier, context, next) {
  return specifier === 'node:test' ? { url: runner, shortCircuit: true } : next(specifier, context)
}

export function load(url, context, next) {
  const source = texts[url]
  return source === undefined ? next(url, context) : { format: 'module', shortCircuit: true, source }
}
