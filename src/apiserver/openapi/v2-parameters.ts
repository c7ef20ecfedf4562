/**
 * Parameters that most operations share, which a v2 document declares only once. As in kube-apiserver, the name of a declaration
 * is that of the parameter with a hash of the declaration.
 */
type Json = Record<string, unknown>

const mask = 0xffffffffffffffffn

/** The names of parameters. Nearly all group versions have the same ones. */
const hashes = new Map<string, string>()
const maxHashes = 1000

function keptHashOf(text: string): string {
  let hash = hashes.get(text)
  if (hash === undefined) {
    if (hashes.size >= maxHashes) hashes.clear()
    hashes.set(text, (hash = hashOf(text)))
  }
  return hash
}

/** Returns the first 48 bits of the 64-bit FNV-1 hash, in URL-safe base64. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of Buffer.from(text)) hash = ((hash * 0x100000001b3n) & mask) ^ BigInt(byte)
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(hash)
  return bytes.subarray(0, 6).toString('base64').replaceAll('+', '-').replaceAll('/', '_')
}

/**
 * Whether a parameter is shared. kubectl before 1.28 expects dryRun and fieldValidation in the operation itself, the description
 * of a name has the kind in it, and most bodies have a type of their own.
 */
function isShared({ name, in: place, schema }: Json): boolean {
  if (place === 'body') return (schema as { $ref: string }).$ref.startsWith('#/definitions/io.k8s.apimachinery')
  return name !== 'name' && name !== 'dryRun' && name !== 'fieldValidation'
}

export class SharedParameters {
  readonly #names = new Map<string, string>()
  readonly #shared = new Map<string, string>()

  /** Returns the parameter of an operation or path, or a reference to the shared one. */
  refer(parameter: Json): Json {
    if (!isShared(parameter)) return parameter
    const json = JSON.stringify(parameter)
    let name = this.#names.get(json)
    if (name === undefined) {
      name = `${parameter.name}-${keptHashOf(json)}`
      this.#names.set(json, name)
      this.#shared.set(name, json)
    }
    return { $ref: `#/parameters/${name}` }
  }

  /** The parameters as JSON, by name. */
  get all(): ReadonlyMap<string, string> {
    return this.#shared
  }
}
