import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** A CommonJS package of many files, loaded by its first use: `import()` would do it too, but not for code that cannot wait. */
export function lazyPackage<T>(name: string): () => T {
  let loaded: T | undefined
  return () => (loaded ??= require(name) as T)
}
