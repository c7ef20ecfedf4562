/** Which changes make a reconciler run. */
import { isDeepStrictEqual } from 'node:util'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'

/**
 * A change of an object, as a predicate sees it.
 *
 * @example
 * const report = ({ type, object }: ObjectChange<KubeObject>) => console.log(type, object.metadata.name)
 */
export interface ObjectChange<T> {
  /** `create` also for the objects that are there when the operator begins. */
  readonly type: 'create' | 'update' | 'delete'
  readonly object: T
  /** What it was before an update. */
  readonly old?: T | undefined
}

/**
 * Decides whether a change makes the reconciler run. Must not change the objects.
 *
 * @example
 * const grows: Predicate<Course> = ({ object, old }) => old === undefined || object.spec.seats > old.spec.seats
 */
export type Predicate<T = any> = (change: ObjectChange<T>) => boolean

type Of<T> = (object: T) => unknown

/** Lets all changes pass but updates that leave something as it was. */
const changed =
  (of: Of<KubeObject>): Predicate<KubeObject> =>
  ({ object, old }) =>
    old === undefined || !isDeepStrictEqual(of(object) ?? {}, of(old) ?? {})

/**
 * Lets updates pass that change `metadata.generation`: the spec, not the status. For kinds that have a generation.
 *
 * @example
 * const rooms = defineReconciler({ for: course, when: [generationChanged], reconcile })
 */
export const generationChanged: Predicate<KubeObject> = changed(({ metadata }) => metadata.generation)

/**
 * Lets updates pass that change labels.
 *
 * @example
 * const rooms = defineReconciler({ for: course, when: [or(generationChanged, labelsChanged)], reconcile })
 */
export const labelsChanged: Predicate<KubeObject> = changed(({ metadata }) => metadata.labels)

/**
 * Lets updates pass that change annotations.
 *
 * @example
 * const rooms = defineReconciler({ for: course, when: [or(generationChanged, annotationsChanged)], reconcile })
 */
export const annotationsChanged: Predicate<KubeObject> = changed(({ metadata }) => metadata.annotations)

/**
 * Lets updates pass that change anything at all.
 *
 * @example
 * const rooms = defineReconciler({ for: course, owns: [{ kind: configMaps, when: [resourceVersionChanged] }], reconcile })
 */
export const resourceVersionChanged: Predicate<KubeObject> = changed(({ metadata }) => metadata.resourceVersion)

/**
 * Lets a change pass that all predicates let pass.
 *
 * @example
 * const inTeam = and(generationChanged, ({ object }) => object.metadata.namespace === 'team')
 */
export const and =
  <T = any>(...predicates: readonly Predicate<T>[]): Predicate<T> =>
  change =>
    predicates.every(passes => passes(change))

/**
 * Lets a change pass that one of the predicates lets pass.
 *
 * @example
 * const when = [or(generationChanged, labelsChanged)]
 */
export const or =
  <T = any>(...predicates: readonly Predicate<T>[]): Predicate<T> =>
  change =>
    predicates.some(passes => passes(change))

/**
 * Lets a change pass that the predicate does not let pass.
 *
 * @example
 * const notDeleted = not(({ type }) => type === 'delete')
 */
export const not =
  <T = any>(predicate: Predicate<T>): Predicate<T> =>
  change =>
    !predicate(change)
