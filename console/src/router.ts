import { computed, signal } from '@preact/signals'

// The address of the page decides what it shows, so that links, bookmarks and the back button work.
const here = () => ({ path: location.pathname, query: new URLSearchParams(location.search) })
export const address = signal(here())
addEventListener('popstate', () => {
  address.value = here()
})

/** The segments of the path below /console/, decoded. */
export const segments = computed(() =>
  address.value.path
    .replace(/^\/console\/?/, '')
    .split('/')
    .filter(Boolean)
    .map(segment => decode(segment))
)

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Goes to an address of the console, such as `/console/list/core/pods?q=web`. */
export function go(to: string, { replace = false } = {}): void {
  if (to === location.pathname + location.search) return
  history[replace ? 'replaceState' : 'pushState'](null, '', to)
  address.value = here()
  if (!replace) scrollTo(0, 0)
}

/** Changes parameters of the address; an empty value removes one. Typing in a field leaves no trail in the history of the browser. */
export function setQuery(changes: Readonly<Record<string, string>>): void {
  const query = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(changes)) value ? query.set(name, value) : query.delete(name)
  const text = query.toString()
  go(location.pathname + (text ? `?${text}` : ''), { replace: true })
}

export const queryOf = (name: string): string => address.value.query.get(name) ?? ''

/** Follows links of the console without loading the page anew. */
export function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const link = (event.target as Element).closest?.('a')
  if (!link || link.target || link.origin !== location.origin || !link.pathname.startsWith('/console/')) return
  event.preventDefault()
  go(link.pathname + link.search)
}
