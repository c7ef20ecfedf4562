import { effect, signal } from '@preact/signals'

// Not secret, so they may stay in the browser.
const read = (key: string, otherwise: string): string => {
  try {
    return localStorage.getItem(`binnacle.${key}`) ?? otherwise
  } catch {
    return otherwise
  }
}
function kept(key: string, otherwise: string) {
  const value = signal(read(key, otherwise))
  effect(() => {
    try {
      localStorage.setItem(`binnacle.${key}`, value.value)
    } catch {
      // a browser that keeps nothing
    }
  })
  return value
}

/** `light`, `dark`, or `system`. */
export const theme = kept('theme', 'system')
/** The namespace that lists show; empty for all. */
export const namespace = kept('namespace', '')

effect(() => {
  document.documentElement.dataset.theme = theme.value
})
