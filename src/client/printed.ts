/** Objects as a server has printed them (`kubectl get -o yaml`): what a server wrote itself is taken out before they are applied. */
import { isObject, type JsonObject } from '../util/json.js'
import type { ManifestObject } from './manifests.js'

/** What is applied of a manifest. */
export interface Applicable {
  readonly object: ManifestObject
  /** The status, for the status subresource. */
  readonly status?: JsonObject | undefined
  /** The fields that are left out: `metadata.uid`. */
  readonly leftOut: readonly string[]
}

/** Metadata that only a server writes. */
const ofServer = [
  'managedFields',
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'generation',
  'selfLink',
  'deletionTimestamp',
  'deletionGracePeriodSeconds'
]

/** Whether a server has printed the manifest. */
export const isPrinted = ({ metadata }: ManifestObject & { readonly metadata: Partial<JsonObject> }): boolean =>
  typeof metadata.creationTimestamp === 'string' || Array.isArray(metadata.managedFields)

/**
 * Returns a manifest as it can be applied. One that somebody has written stays as it is, with its resourceVersion, which is a precondition. `uids` has the uids of the
 * owners that were applied before, by their uids in the manifests: the garbage collector would delete what has an owner that does not exist.
 */
export function applicable(manifest: ManifestObject, uids: ReadonlyMap<string, string> = new Map()): Applicable {
  const { status, ...object } = manifest
  const metadata: JsonObject = { ...manifest.metadata }
  if (!isPrinted(manifest)) return { object: manifest, leftOut: [] }
  const leftOut: string[] = []
  for (const name of ofServer) {
    if (!Object.hasOwn(metadata, name)) continue
    delete metadata[name]
    leftOut.push(`metadata.${name}`)
  }
  const owners = Array.isArray(metadata.ownerReferences) ? (metadata.ownerReferences as JsonObject[]) : []
  const known = owners.flatMap(owner => {
    const uid = uids.get(String(owner.uid))
    return uid === undefined ? [] : [{ ...owner, uid }]
  })
  if (known.length < owners.length) leftOut.push('metadata.ownerReferences')
  if (known.length > 0) metadata.ownerReferences = known
  else delete metadata.ownerReferences
  for (const name of controllerUids) mapUid(metadata, name, uids)
  const applied = { ...object, metadata, ...specOf(manifest) } as unknown as ManifestObject
  if (!isObject(status) || Object.keys(status).length === 0) return { object: applied, leftOut }
  // whether a definition is served and a namespace is being deleted is decided by the server that has them
  if (manifest.kind === 'CustomResourceDefinition' || manifest.kind === 'Namespace')
    return { object: applied, leftOut: [...leftOut, 'status'] }
  return { object: applied, status, leftOut }
}

/** The labels by which a Job finds its Pods. */
const controllerUids = ['controller-uid', 'batch.kubernetes.io/controller-uid']

/** A Pod of a Job keeps a label that the Job selects. */
function mapUid(metadata: JsonObject, label: string, uids: ReadonlyMap<string, string>): void {
  if (!isObject(metadata.labels)) return
  const uid = uids.get(String(metadata.labels[label]))
  if (uid !== undefined) metadata.labels = { ...metadata.labels, [label]: uid }
}

/** The spec of a Job without the selector and the labels that a server makes of the Job's uid. */
function specOf({ apiVersion, kind, spec }: ManifestObject): { readonly spec?: JsonObject } {
  if (kind !== 'Job' || !apiVersion.startsWith('batch/') || !isObject(spec) || spec.manualSelector === true) return {}
  const { selector: _, template, ...others } = spec
  if (!isObject(template) || !isObject(template.metadata) || !isObject(template.metadata.labels))
    return { spec: { ...others, template } as JsonObject }
  const labels = Object.fromEntries(Object.entries(template.metadata.labels).filter(([name]) => !controllerUids.includes(name)))
  return { spec: { ...others, template: { ...template, metadata: { ...template.metadata, labels } } } }
}

/** `deploy.yaml, Pod "a": left out metadata.uid, status`. */
export const leftOutText = (place: string, leftOut: readonly string[]): string => `${place}: left out ${leftOut.join(', ')}`
