/** Reads manifests: YAML with one document or several, JSON, files, folders, objects, lists of objects. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readYaml } from '../apimachinery/formats/yaml-parse.js'
import type { JsonObject } from '../util/json.js'
import { fileError, UserError } from '../util/user-error.js'

/**
 * What `apply` takes: an object, the path or `file:` URL of a file or folder, a YAML text, or a list of these. A string is a YAML text
 * if it has a line break or begins with `{`. Of a folder, the files .yaml, .yml and .json are read, in the order of their names.
 *
 * @example
 * const source: ManifestSource = ['config/crd', 'config/rbac/role.yaml', { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'team' } }]
 */
export type ManifestSource = string | URL | object | readonly ManifestSource[]

/**
 * Options of `apply`.
 *
 * @example
 * const options: ManifestOptions = { namespace: 'team' }
 */
export interface ManifestOptions {
  /** The namespace of objects that name none; `default`. */
  readonly namespace?: string | undefined
  /** The field manager; that of the client. */
  readonly fieldManager?: string | undefined
  /** Takes fields over from other managers, where there would be a 409; true. */
  readonly force?: boolean | undefined
  /** Milliseconds to wait for a definition to be served; 10000. */
  readonly timeout?: number | undefined
  /**
   * Is told what is left out of an object that a server has printed (`kubectl get -o yaml`): `Pod "web": left out metadata.uid`. A warning of the process when there
   * is no such function.
   */
  readonly onWarning?: ((text: string) => void) | undefined
  /** Is told of an object that is refused; the others are applied all the same. The first refusal ends all when there is no such function. */
  readonly onError?: ((error: Error) => void) | undefined
}

/** An object to apply, and where it stands. */
export interface Manifest {
  readonly object: ManifestObject
  /** `deploy.yaml, document 2, Deployment "team/web"`. */
  readonly place: string
}

export interface ManifestObject extends JsonObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly uid?: string }
}

/** Rejects with a UserError for what cannot be read, or is no object of Kubernetes. */
export async function readManifests(source: ManifestSource): Promise<Manifest[]> {
  if (Array.isArray(source)) return (await Promise.all(source.map(readManifests))).flat()
  if (source instanceof URL) return readPath(fileURLToPath(source))
  if (typeof source === 'string') return isText(source) ? documentsOf(source, '') : readPath(source)
  return manifestsOf(source, '')
}

const isText = (source: string) => source.includes('\n') || source.trimStart().startsWith('{')

async function readPath(path: string): Promise<Manifest[]> {
  try {
    if (!(await stat(path)).isDirectory()) return documentsOf(await readFile(path, 'utf8'), path)
    const names = (await readdir(path)).filter(name => /\.(ya?ml|json)$/.test(name)).sort()
    return (await Promise.all(names.map(name => readPath(join(path, name))))).flat()
  } catch (error) {
    throw error instanceof UserError ? error : fileError(path, error)
  }
}

/** Splits a text into documents as kubectl does: at lines that begin with three dashes. */
function documentsOf(text: string, file: string): Manifest[] {
  const documents = text.split(/^---(?=\s|$)/m)
  const several = documents.filter(isFilled).length > 1
  return documents.flatMap((document, i) => {
    if (!isFilled(document)) return []
    const place = placeOf(file, several || file === '' ? `document ${i + (isFilled(documents[0]!) ? 1 : 0)}` : '')
    try {
      return manifestsOf(readYaml(document).value, place)
    } catch (error) {
      throw error instanceof UserError ? error : new UserError(`${place}: ${(error as Error).message}`, { cause: error })
    }
  })
}

const isFilled = (document: string) => /^[^#\S]*[^#\s]/m.test(document)

const placeOf = (...parts: readonly string[]) => parts.filter(part => part !== '').join(', ')

function manifestsOf(value: unknown, place: string): Manifest[] {
  const at = place === '' ? 'the manifest' : place
  if (typeof value !== 'object' || value === null) throw new UserError(`${at}: is not an object`)
  const { apiVersion, kind, items, metadata } = value as Record<string, any>
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') throw new UserError(`${at}: has no apiVersion or no kind`)
  if (kind.endsWith('List') && Array.isArray(items)) {
    // items of a list of one kind may leave out what the list itself says
    const own = kind === 'List' ? {} : { apiVersion, kind: kind.slice(0, -'List'.length) }
    return items.flatMap((item, i) => manifestsOf({ ...own, ...item }, placeOf(place, `item ${i + 1}`)))
  }
  if (typeof metadata?.name !== 'string' || metadata.name === '')
    throw new UserError(`${placeOf(place, kind)}: has no name in its metadata`)
  const name = metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`
  return [{ object: value as ManifestObject, place: placeOf(place, `${kind} ${JSON.stringify(name)}`) }]
}
