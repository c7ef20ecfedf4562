import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Loads a large CommonJS package on first use, for synchronous callers; asynchronous ones can use `import()`. */
export function lazyPackage<T>(name: string): () => T {
  let loaded: T | undefined
  return () => (loaded ??= require(name) as T)
}
