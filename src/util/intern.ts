/** Keeps one copy of each string that recurs thousands of times: namespaces, label keys, node names. */
const strings = new Map<string, string>()
const most = 65_536

export function intern(text: string): string {
  const known = strings.get(text)
  if (known !== undefined) return known
  if (strings.size >= most) strings.clear()
  strings.set(text, text)
  return text
}
