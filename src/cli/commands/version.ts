import { kubernetesVersion } from '../../util/kubernetes-version.js'
import { flag } from '../flags/flag.js'
import { parseFlags } from '../flags/parse.js'
import { bool, oneOf } from '../flags/value-types.js'
import { binnacleVersion } from '../version.js'

const flags = {
  output: flag({
    section: 'Version',
    type: oneOf(['text', 'json'] as const),
    default: 'text',
    shorthand: 'o',
    description: 'Output format.'
  }),
  help: flag({ section: 'Version', type: bool, default: false, shorthand: 'h', description: 'Shows this help.' })
}

const help = `Shows the versions of Binnacle and of the Kubernetes API that it serves.

Usage:
  binnacle version [-o json]
`

/** `binnacle version`: prints the versions of Binnacle and Kubernetes. */
export const printVersion = (args: readonly string[]): void => {
  const { values } = parseFlags(args, flags)
  const binnacle = binnacleVersion()
  process.stdout.write(
    values.help
      ? help
      : values.output === 'json'
        ? `${JSON.stringify({ binnacle, kubernetes: kubernetesVersion })}\n`
        : `binnacle ${binnacle} (Kubernetes ${kubernetesVersion})\n`
  )
}
