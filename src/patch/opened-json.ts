/**
 * The text of a patched document as kube-apiserver shows it when it cannot decode it. Its patch library parses lazily: an
 * object that a patch has looked into is written with sorted keys, everything else as it was.
 */
import { writeJson } from '../util/sorted-json.js'

/** The objects that a patch has looked into. */
export type Opened = Set<object>

const none: Opened = new Set()

export const openedJson = (value: unknown, opened: Opened = none): string => writeJson(value, object => opened.has(object))
