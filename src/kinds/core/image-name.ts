/** Container image references, as far as defaults need them. */

const reference = /^(?:[^@/]*\/)*[^@/:]+(?::([\w][\w.-]{0,127}))?(@[A-Za-z][\w+.-]*:[0-9a-fA-F]{32,})?$/

/** What an image is pulled by when nothing is said: always where its tag is `latest` or missing, once otherwise. */
export function defaultPullPolicy(image: string): string {
  const match = reference.exec(image)
  if (!match) return 'IfNotPresent'
  const [, tag, digest] = match
  return tag === 'latest' || (tag === undefined && digest === undefined) ? 'Always' : 'IfNotPresent'
}
