/**
 * Parameters that most operations have, said once in a document of v2. Their names are those that kube-apiserver gives them: the
 * parameter's and a hash of all that is said of it.
 */
type Json = Record<string, unknown>

const mask = 0xffffffffffffffffn

/** FNV-1 with 64 bits, of which the first 48 in URL-safe base64. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of Buffer.from(text)) hash = ((hash * 0x100000001b3n) & mask) ^ BigInt(byte)
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(hash)
  return bytes.subarray(0, 6).toString('base64').replaceAll('+', '-').replaceAll('/', '_')
}

/** kubectl before 1.28 looks for these two in operations; a name says of what kind, and a body mostly has a type of its own. */
function isShared({ name, in: place, schema }: Json): boolean {
  if (place === 'body') return (schema as { $ref: string }).$ref.startsWith('#/definitions/io.k8s.apimachinery')
  return name !== 'name' && name !== 'dryRun' && name !== 'fieldValidation'
}

export class SharedParameters {
  readonly #names = new Map<string, string>()
  readonly #shared = new Map<string, string>()

  /** What an operation or path says of a parameter. */
  refer(parameter: Json): Json {
    if (!isShared(parameter)) return parameter
    const json = JSON.stringify(parameter)
    let name = this.#names.get(json)
    if (name === undefined) {
      name = `${parameter.name}-${hashOf(json)}`
      this.#names.set(json, name)
      this.#shared.set(name, json)
    }
    return { $ref: `#/parameters/${name}` }
  }

  /** Name → JSON. */
  get all(): ReadonlyMap<string, string> {
    return this.#shared
  }
}
