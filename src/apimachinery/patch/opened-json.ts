/**
 * Writes a patched document as kube-apiserver shows it when it cannot decode it. kube-apiserver's patch library parses lazily: an
 * object that a patch has opened is written with sorted keys, all others unchanged.
 */
import { writeJson } from '../../util/sorted-json.js'

/** The objects that a patch has opened. */
export type Opened = Set<object>

const none: Opened = new Set()

export const openedJson = (value: unknown, opened: Opened = none): string => writeJson(value, object => opened.has(object))
