import { goQuote } from '../../util/go-format.js'
import { UserError } from '../../util/user-error.js'

const yes = ['1', 't', 'T', 'true', 'TRUE', 'True']
const no = ['0', 'f', 'F', 'false', 'FALSE', 'False']

/** The only component of kube-apiserver that has gates. */
const component = 'kube'

/** Reads the texts of --feature-gates: "ClusterTrustBundle=true,AllAlpha=false", where each gate may have "kube:" in front. */
export function parseFeatureGates(texts: readonly string[]): Record<string, boolean> {
  const byComponent = new Map<string, string[]>()
  for (const item of texts.flatMap(text => text.split(','))) {
    const colon = item.indexOf(':')
    const owner = item.slice(0, Math.max(colon, 0)).trim()
    if (!byComponent.has(owner)) byComponent.set(owner, [])
    byComponent.get(owner)!.push(item.slice(colon + 1))
  }
  const other = [...byComponent.keys()].find(owner => owner !== '' && owner !== component)
  if (other !== undefined) throw new UserError(`--feature-gates: component not registered: ${other}`)
  const [plain = [], prefixed = []] = [byComponent.get(''), byComponent.get(component)]
  if (prefixed.length > 0 && plain.some(item => item.trim() !== ''))
    throw new UserError(
      '--feature-gates: set kube feature gates with default empty prefix or kube: prefix consistently, do not mix use'
    )
  return Object.fromEntries([...plain, ...prefixed].filter(item => item !== '').map(settingOf))
}

function settingOf(item: string): [string, boolean] {
  const equals = item.indexOf('=')
  const name = (equals < 0 ? item : item.slice(0, equals)).trim()
  if (equals < 0) throw new UserError(`--feature-gates: missing bool value for ${name}`)
  const value = item.slice(equals + 1).trim()
  if (yes.includes(value)) return [name, true]
  if (no.includes(value)) return [name, false]
  throw new UserError(
    `--feature-gates: invalid value of ${name}=${value}, err: strconv.ParseBool: parsing ${goQuote(value)}: invalid syntax`
  )
}
