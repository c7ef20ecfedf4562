/** Puts variables where a step says ${name}; one that is all of a string keeps its type. */
export function substitute(value, vars) {
  if (typeof value === 'string') {
    const whole = /^\$\{(\w+)\}$/.exec(value)
    if (whole && whole[1] in vars) return vars[whole[1]]
    return value.replace(/\$\{(\w+)\}/g, (all, name) => (name in vars ? String(vars[name]) : all))
  }
  if (Array.isArray(value)) return value.map(item => substitute(item, vars))
  if (value && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [substitute(key, vars), substitute(item, vars)]))
  return value
}

/** "a.b.0.c" */
export const at = (object, path) => path.split('.').reduce((value, key) => value?.[key], object)

const letters = 'bcdfghjklmnpqrstvwxz'
/** A name that no other run has. */
export const randomName = prefix =>
  prefix + Array.from({ length: 7 }, () => letters[Math.floor(Math.random() * letters.length)]).join('')
