/**
 * Loads the library from the published package's bundle, with the code that V8 compiled for an earlier process: a test that imports the
 * library waits for that more than for anything else.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import { CachedBundle, codeCacheFolder } from './code-cache.js'

const directory = fileURLToPath(new URL('../../bundle', import.meta.url))

/**
 * Whether this file shares its globals with the embedding program. Test runners such as jest give each file an Array of its own,
 * and what is loaded here must use the same.
 */
const isMainContext = new Script('Array').runInThisContext() === Array

const bundle = isMainContext ? new CachedBundle(directory, codeCacheFolder(process.env)) : undefined

/** Runs a module of the bundle, and returns what it exports. */
export function load(name: string): Readonly<Record<string, unknown>> {
  const exported = bundle ? bundle.load(name) : createRequire(import.meta.url)(join(directory, name))
  return exported as Readonly<Record<string, unknown>>
}

/** Wraps a function: after its first call, the code that has been compiled by then is kept for other processes. */
export function keepingCode<Arguments extends unknown[], Result>(
  start: (...given: Arguments) => Result
): (...given: Arguments) => Result {
  return (...given) => {
    bundle?.keepLater()
    return start(...given)
  }
}
