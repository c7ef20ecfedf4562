/** Shrinks a case as long as it still shows its difference. */

/** `shows` returns whether a body still shows the difference. Bounded, because every attempt takes two requests. */
export async function shrinkBody(body, shows, attempts = 60) {
  let left = attempts
  let best = body
  for (let found = true; found && left > 0; ) {
    found = false
    for (const path of pathsOf(best)) {
      if (left-- <= 0) break
      const candidate = without(best, path)
      if (candidate === undefined || !(await shows(candidate))) continue
      best = candidate
      found = true
      break
    }
  }
  return best
}

/** Paths of everything in a value, large parts first. */
function pathsOf(value) {
  const paths = []
  const queue = [[value, []]]
  for (const [current, path] of queue) {
    if (current === null || typeof current !== 'object') continue
    for (const key of Object.keys(current)) {
      paths.push([...path, key])
      queue.push([current[key], [...path, key]])
    }
  }
  return paths
}

function without(value, path) {
  const copy = structuredClone(value)
  let parent = copy
  for (const key of path.slice(0, -1)) parent = parent?.[key]
  if (parent === undefined) return undefined
  if (Array.isArray(parent)) parent.splice(Number(path.at(-1)), 1)
  else delete parent[path.at(-1)]
  return copy
}
