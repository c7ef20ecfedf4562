const versionForm = /^v(\d+)(?:(alpha|beta)(\d+))?$/

/** Compares versions of an API group by priority: v10, v2, v1, then betas, then alphas, then all others in alphabetical order. */
export function compareVersions(a: string, b: string): number {
  const x = versionForm.exec(a)
  const y = versionForm.exec(b)
  if (!x || !y) return x ? -1 : y ? 1 : a < b ? -1 : a > b ? 1 : 0
  const stage = (m: RegExpExecArray) => (m[2] === undefined ? 2 : m[2] === 'beta' ? 1 : 0)
  return stage(y) - stage(x) || Number(y[1]) - Number(x[1]) || Number(y[3] ?? 0) - Number(x[3] ?? 0)
}
