/** Keeps one copy of each string that occurs thousands of times, such as namespaces, label keys and names of nodes. */
const strings = new Map<string, string>()
const most = 65_536

export function intern(text: string): string {
  const known = strings.get(text)
  if (known !== undefined) return known
  if (strings.size >= most) strings.clear()
  strings.set(text, text)
  return text
}
