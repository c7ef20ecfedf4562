import type { SelectableField } from '../apimachinery/api/generated/apiextensions-v1.js'
import type { KubeObject } from '../registry/kind.js'
import { jsonPath } from './json-path.js'

/** Returns the fields that field selectors may name, with functions that read their text: "" for a missing value (KEP-4358). */
export function selectableFields(declared: readonly SelectableField[] = []): Record<string, (object: KubeObject) => string> {
  return Object.fromEntries(
    declared.map(({ jsonPath: path }) => {
      const find = jsonPath(path)
      return [path.replace(/^\./, ''), object => String(find?.(object) ?? '')]
    })
  )
}

/** The annotation of a definition that names fields with an index: `.spec.course, .spec.seats`. */
export const indexesAnnotation = 'binnacle.dev/indexes'

const indexPath = /^(?:\.[A-Za-z0-9_$-]+)+$/

/** Whether an index can have a path such as `.spec.course`. */
export const isIndexPath = (path: string): boolean => indexPath.test(path)

/** Indexes of one definition. Each costs time and memory with every object. */
export const maxIndexes = 16

/** Reads the annotation. Leaves out what is no path. */
export function annotatedIndexes({
  metadata
}: {
  readonly metadata: { readonly annotations?: Record<string, string> | undefined }
}): string[] {
  const text = metadata.annotations?.[indexesAnnotation] ?? ''
  const paths = text.split(',', maxIndexes).map(path => path.trim())
  return paths.filter(isIndexPath)
}
