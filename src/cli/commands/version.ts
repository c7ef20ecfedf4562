import { flag } from '../../server/options/flag.js'
import { bool, oneOf } from '../../server/options/value-types.js'
import { kubernetesVersion } from '../../util/kubernetes-version.js'
import { binnacleVersion } from '../../util/own-package.js'
import { parseFlags } from '../flags/parse.js'

export const versionFlags = {
  output: flag({
    section: 'Version',
    type: oneOf(['text', 'json'] as const),
    default: 'text',
    shorthand: 'o',
    help: 'Output format.'
  }),
  help: flag({ section: 'Version', type: bool, default: false, shorthand: 'h', help: 'Shows this help.' })
}

const help = `Shows the versions of Binnacle and of the Kubernetes API that it serves.

Usage:
  binnacle version [-o json]
`

/** `binnacle version`: prints the versions of Binnacle and Kubernetes. */
export const printVersion = (args: readonly string[]): void => {
  const { values } = parseFlags(args, versionFlags)
  const binnacle = binnacleVersion()
  process.stdout.write(
    values.help
      ? help
      : values.output === 'json'
        ? `${JSON.stringify({ binnacle, kubernetes: kubernetesVersion })}\n`
        : `binnacle ${binnacle} (Kubernetes ${kubernetesVersion.replace(/^v/, '')})\n`
  )
}
