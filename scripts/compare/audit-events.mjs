/** Audit events in a form that can be compared: values that differ between servers and runs are replaced. */

const replacements = [
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g, '<uid>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>'],
  [/"(resourceVersion|continue)":"[^"]+"/g, '"$1":"<version>"'],
  [/\bkube-api-access-[a-z\d]{5}\b/g, 'kube-api-access-<suffix>'],
  [/("name":"[a-z-]*gen-)[a-z\d]{5}"/g, '$1<suffix>"'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>'],
  [/in scheme \\"[^"]*\\"/g, 'in scheme <name>'],
  [/in record \(\d+\)/g, 'in record (<version>)'],
  [/\b10\.0\.0\.\d+/g, '<address>'],
  // ages in Tables
  [/"\d+[smhd](?:\d+[smh])?"/g, '"<age>"'],
  [/ResourceVersion: \d+/g, 'ResourceVersion: <version>']
]

/** How long the parts of a slow request took. */
const latency = /^apiserver\.latency\.k8s\.io\//

export function comparableEvent(event, host) {
  const { auditID: _, annotations = {}, ...rest } = event
  const kept = Object.entries(annotations).filter(([key]) => !latency.test(key))
  let text = JSON.stringify({ ...rest, ...(kept.length > 0 ? { annotations: Object.fromEntries(kept) } : {}) })
  if (host) text = text.replaceAll(host, '<server>')
  for (const [pattern, replacement] of replacements) text = text.replace(pattern, replacement)
  return text
}
