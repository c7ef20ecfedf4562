/** Keeps one copy of labels that many objects have: those of a ReplicaSet's Pods are the same. */
type Labels = Readonly<Record<string, string>>

const known = new Map<string, Labels>()
const most = 16_384
/** Longer ones are hardly shared, and what is kept here stays when their objects are gone. */
const longest = 2048

/** Returns the copy. The order of the labels counts, so that the copy is the same in every respect. */
export function shared(labels: Labels): Labels {
  const text = JSON.stringify(labels)
  if (text.length > longest) return labels
  const found = known.get(text)
  if (found) return found
  if (known.size >= most) known.clear()
  known.set(text, labels)
  return labels
}
